//! A plant in C that owns its state: the shower that ships, and what is wrong with spoiled ones.

use std::path::{Path, PathBuf};

use bitloop_host::{LibraryFault, PlantLibrary};
use bitloop_plant::abi::AbiError;
use bitloop_plant::{Integrator, Isa, PlantCallError, PlantHandle, PlantLanes, Stretch};

use crate::support::{Bench, fault};

const SHOWER: &str = include_str!("../../../../plants/shower-instances-c/shower.c");

/// The shower with `from` replaced by `to`.
fn spoiled(bench: &Bench, from: &str, to: &str) -> PathBuf {
    assert!(SHOWER.contains(from), "{from}");
    let name = format!("{}.so", blake3::hash(to.as_bytes()).to_hex());
    bench.compile(&name, &SHOWER.replacen(from, to, 1))
}

fn open(path: &Path) -> PlantHandle {
    PlantLibrary::open(path).unwrap().plant(None).unwrap()
}

fn shower(bench: &Bench) -> PlantHandle {
    open(&bench.compile("shower.so", SHOWER))
}

/// Four showers, the last of which is padding, at the start of an episode.
fn loaded(plant: &PlantHandle) -> PlantLanes {
    let mut lanes = plant.lanes(4);
    load(plant, &mut lanes);
    lanes
}

fn load(plant: &PlantHandle, lanes: &mut PlantLanes) {
    lanes.set_live(3);
    for (row, parameter) in plant.description().parameters.iter().enumerate() {
        lanes.parameters.row_mut(row).fill(parameter.default);
    }
    for lane in 0..4 {
        lanes.state.row_mut(0)[lane] = 20.0 + lane as f64;
        lanes.state.row_mut(1)[lane] = 0.5;
        lanes.control.row_mut(0)[lane] = 0.4 + 0.05 * lane as f64;
        lanes.seeds[lane] = 7 + lane as u64;
    }
    lanes.cost.fill(0.0);
}

fn stretch(tick: u64, n_steps: u32) -> Stretch {
    Stretch { tick, n_steps, step_s: 0.05, integrator: Integrator::PlantStep, counts_cost: true }
}

/// Observes and advances from a tick to another.
fn run(
    plant: &PlantHandle,
    lanes: &mut PlantLanes,
    from: u64,
    to: u64,
) -> Result<(), PlantCallError> {
    for tick in (from..to).step_by(4) {
        plant.observe(Isa::PORTABLE, lanes, 4, stretch(tick, 0))?;
        plant.advance(Isa::PORTABLE, lanes, 4, stretch(tick, 4))?;
    }
    Ok(())
}

/// State, observations and cost of a lane.
fn bits(lanes: &PlantLanes, lane: usize) -> Vec<u64> {
    let matrices = [&lanes.state, &lanes.observation, &lanes.cost];
    let rows = matrices.iter().flat_map(|matrix| (0..matrix.n_rows()).map(|row| matrix.row(row)));
    rows.map(|row| row[lane].to_bits()).collect()
}

#[test]
fn the_library_says_that_it_owns_its_state() {
    let bench = Bench::new();
    let plant = shower(&bench);
    assert!(plant.owns_state() && plant.takes_seeds() && !plant.has_machine_bits());
    let tea = PlantLibrary::open(&bench.compile("tea.so", crate::support::TEA)).unwrap();
    assert!(!tea.plant(None).unwrap().takes_seeds());
}

#[test]
fn an_episode_repeats_itself_in_another_slot_and_after_others() {
    let bench = Bench::new();
    let plant = shower(&bench);
    let mut lanes = loaded(&plant);
    run(&plant, &mut lanes, 0, 200).unwrap();
    let expected: Vec<_> = (0..3).map(|lane| bits(&lanes, lane)).collect();
    assert_ne!(expected[0], expected[1]);
    // Padding is not run.
    assert_eq!(lanes.state.row(0)[3], 23.0);
    // The slots are used again, by the same episodes.
    load(&plant, &mut lanes);
    run(&plant, &mut lanes, 0, 200).unwrap();
    assert_eq!((0..3).map(|lane| bits(&lanes, lane)).collect::<Vec<_>>(), expected);
    // Halfway, the first episode is dropped, and the last one moves into its lane.
    load(&plant, &mut lanes);
    run(&plant, &mut lanes, 0, 100).unwrap();
    lanes.copy_lane(2, 0);
    lanes.move_instance(2, 0);
    lanes.set_live(2);
    run(&plant, &mut lanes, 100, 200).unwrap();
    assert_eq!([bits(&lanes, 0), bits(&lanes, 1)], [expected[2].clone(), expected[1].clone()]);
}

#[test]
fn the_seed_and_nothing_else_is_chance() {
    let bench = Bench::new();
    let plant = shower(&bench);
    let mut lanes = loaded(&plant);
    run(&plant, &mut lanes, 0, 200).unwrap();
    let first = bits(&lanes, 0);
    load(&plant, &mut lanes);
    lanes.seeds[0] += 1;
    run(&plant, &mut lanes, 0, 200).unwrap();
    assert_ne!(bits(&lanes, 0), first);
}

#[test]
fn a_state_that_was_given_continues_in_another_worker() {
    let bench = Bench::new();
    let plant = shower(&bench);
    let mut lanes = loaded(&plant);
    run(&plant, &mut lanes, 0, 100).unwrap();
    let states = plant.slot_states(&mut lanes, 3).unwrap().unwrap();
    let mut restored = lanes.clone();
    plant.set_slot_states(&mut restored, &states).unwrap();
    for lanes in [&mut lanes, &mut restored] {
        run(&plant, lanes, 100, 200).unwrap();
    }
    for lane in 0..3 {
        assert_eq!(bits(&restored, lane), bits(&lanes, lane));
    }
    // Without states, there are none to be had.
    let plant = open(&spoiled(&bench, ".is_plain = 1", ".is_plain = 0"));
    let mut lanes = loaded(&plant);
    run(&plant, &mut lanes, 0, 100).unwrap();
    assert_eq!(plant.slot_states(&mut lanes, 3).unwrap(), None);
    assert!(plant.set_slot_states(&mut lanes, &states).unwrap_err().message.contains("no states"));
}

#[test]
fn an_episode_cannot_be_entered_in_the_middle() {
    let bench = Bench::new();
    let plant = shower(&bench);
    let mut lanes = loaded(&plant);
    run(&plant, &mut lanes, 0, 100).unwrap();
    let error = run(&plant, &mut lanes, 40, 80).unwrap_err();
    assert!(error.to_string().contains("its episode is at step 100"), "{error}");
    // A copy of the lanes has no episodes.
    run(&plant, &mut lanes, 0, 100).unwrap();
    let error = run(&plant, &mut lanes.clone(), 100, 104).unwrap_err();
    assert!(error.to_string().contains("its episode is at step 0"), "{error}");
}

#[test]
fn an_episode_that_has_not_begun_has_no_end() {
    let bench = Bench::new();
    let plant = shower(&bench);
    let mut lanes = loaded(&plant);
    let error = plant.terminal_cost(Isa::PORTABLE, &mut lanes, 4).unwrap_err();
    assert!(error.to_string().contains("no episode has begun"), "{error}");
    plant.observe(Isa::PORTABLE, &mut lanes, 4, stretch(0, 0)).unwrap();
    plant.terminal_cost(Isa::PORTABLE, &mut lanes, 4).unwrap();
}

/// Errors of the plant are those of the call, in its words, and the next episode has another worker.
#[test]
fn what_the_plant_refuses_is_said_in_its_words() {
    let bench = Bench::new();
    let cases = [
        (
            "    change(shower);\n    mix(shower);\n    return NULL;",
            "    return seed == 8 ? \"no water\" : NULL;",
            "no water",
        ),
        (
            "    x[VALVE] = shower->valve;\n    return NULL;",
            "    return time_s > 1.0 ? \"the pipe bursts\" : NULL;",
            "the pipe bursts",
        ),
        (".is_plain = 1", ".is_plain = 1, .make = make", "it makes no worker of 8 slots: no meter"),
    ];
    for (from, to, message) in cases {
        let make = "static const char *make(void *slot) { (void)slot; return \"no meter\"; }\n";
        let text = SHOWER.replacen(from, to, 1).replacen(
            "static const BitloopSlots slots",
            &format!("{make}static const BitloopSlots slots"),
            1,
        );
        assert!(SHOWER.contains(from), "{from}");
        let plant = open(&bench.compile("refuses.so", &text));
        let mut lanes = loaded(&plant);
        let error = run(&plant, &mut lanes, 0, 100).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
        load(&plant, &mut lanes);
        let again = run(&plant, &mut lanes, 0, 100).unwrap_err();
        assert_eq!(again.message, error.message);
    }
}

/// The shower, whose part `spoil` changes before it is handed out; `functions` are for it.
fn with_part(bench: &Bench, functions: &str, spoil: &str) -> PathBuf {
    let plant = "BITLOOP_INSTANCES(description, slots)";
    let spoiled = format!(
        "#define bitloop_plant_v1 sound_plant
{plant}
#undef bitloop_plant_v1
{functions}
static const void *parts(const char *id) {{
    static BitloopInstancesPart part;
    const BitloopInstancesPart *const sound = bitloop_optional_part_it(id);
    if (sound == NULL) return NULL;
    part = *sound;
    {spoil}
    return &part;
}}
BITLOOP_EXPORT const BitloopDescriptor *bitloop_plant_v1(void) {{
    static BitloopDescriptor descriptor;
    descriptor = *sound_plant();
    descriptor.optional_part = parts;
    return &descriptor;
}}"
    );
    self::spoiled(bench, plant, &spoiled)
}

#[test]
fn faulty_parts_are_refused() {
    let bench = Bench::new();
    let refused = |path: &Path| match fault(path) {
        LibraryFault::Abi(error) => error,
        other => panic!("{other}"),
    };
    let spoiled = |spoil| refused(&with_part(&bench, "", spoil));
    assert!(PlantLibrary::open(&with_part(&bench, "", "")).is_ok());
    for (spoil, missing) in [
        ("part.make_worker = NULL;", "make_worker"),
        ("part.drop_worker = NULL;", "drop_worker"),
        ("part.begin = NULL;", "begin"),
        ("part.observe = NULL;", "observe"),
        ("part.advance = NULL;", "advance"),
        ("part.terminal_cost = NULL;", "terminal_cost"),
        ("part.state_size = NULL;", "state_size"),
        ("part.get_state = NULL;", "get_state"),
        ("part.set_state = NULL;", "set_state"),
    ] {
        assert_eq!(spoiled(spoil), AbiError::NoFunction(missing));
    }
    for spoil in ["part.struct_size -= 8;", "part.struct_size = 1u << 20;"] {
        let error = spoiled(spoil);
        assert!(matches!(error, AbiError::StructSize { what: "instances part", .. }), "{error}");
    }
    // A later version may have appended functions.
    assert!(PlantLibrary::open(&with_part(&bench, "", "part.struct_size += 8;")).is_ok());
    let error = spoiled("return (const char *)&part + 1;");
    assert!(error.to_string().contains("misaligned"), "{error}");
    let euler = "{BITLOOP_INTEGRATOR_EULER}";
    let error = refused(&self::spoiled(&bench, "{BITLOOP_INTEGRATOR_PLANT_STEP}", euler));
    assert!(error.to_string().contains("run by its own step alone"), "{error}");
}

#[test]
fn answers_that_break_the_contract_are_found() {
    let bench = Bench::new();
    // A cost that is no number ends an episode.
    let plant = open(&spoiled(&bench, "return error * error;", "return NAN * error;"));
    let mut lanes = loaded(&plant);
    let n_ended = plant.advance(Isa::PORTABLE, &mut lanes, 4, stretch(0, 4)).unwrap();
    assert_eq!(n_ended, 3);
    assert!(lanes.take_end_step(0) == 1 && lanes.end_cost.row(0)[0].is_nan());

    let slot_function = |body: &str| {
        let arguments = "void *worker, const uint32_t *names, BitloopBatch *batch";
        format!(
            "static int32_t bad({arguments}) {{ (void)worker, (void)names, (void)batch; {body} }}"
        )
    };
    let late = slot_function("batch->end_step[0] = batch->n_steps + 1; return 0;");
    let broken = |functions: &str, spoil: &str| {
        let plant = open(&with_part(&bench, functions, spoil));
        run(&plant, &mut loaded(&plant), 0, 100).unwrap_err().to_string()
    };
    let error = broken(&late, "part.advance = bad;");
    assert!(error.contains("a lane ended after step 5 of 4"), "{error}");
    let error = broken(&slot_function("return 77;"), "part.observe = bad;");
    assert!(error.contains("broke in `observe` (status 77)"), "{error}");
    let no_zero = slot_function(
        "for (uint32_t i = 0; i < batch->message_size; i++) batch->message[i] = 'x'; return 2;",
    );
    let error = broken(&no_zero, "part.observe = bad;");
    assert!(error.contains("xxx"), "{error}");
    let none = "static void *none(const uint64_t *s, uint32_t n, uint32_t m, char *t, uint32_t o) {\n\
                (void)s, (void)n, (void)m, (void)t, (void)o; return NULL; }";
    let error = broken(none, "part.make_worker = none;");
    assert!(error.contains("it makes no worker of 8 slots"), "{error}");
    let rounds = slot_function("__builtin_ia32_ldmxcsr(0x7f80); return 0;");
    let error = broken(&rounds, "part.observe = bad;");
    assert!(error.contains("floating-point mode"), "{error}");

    let huge = "static uint64_t huge(void *worker) { (void)worker; return 1ull << 40; }";
    let plant = open(&with_part(&bench, huge, "part.state_size = huge;"));
    let mut lanes = loaded(&plant);
    run(&plant, &mut lanes, 0, 8).unwrap();
    let error = plant.slot_states(&mut lanes, 3).unwrap_err();
    assert!(error.to_string().contains("1099511627776 bytes: at most 67108864"), "{error}");
}

/// A program that does not know of such plants calls the functions that pure plants have.
#[test]
fn a_host_that_does_not_know_the_part_is_refused_in_words() {
    let bench = Bench::new();
    let hidden = "    if (sound != NULL) return NULL;";
    let plant = open(&with_part(&bench, "", hidden));
    assert!(!plant.owns_state());
    let error = run(&plant, &mut loaded(&plant), 0, 8).unwrap_err();
    assert!(error.to_string().contains("the plant owns its state"), "{error}");
}
