//! Each kind of bad library has its own message. Every test starts from a sound plant with one thing spoiled.

use std::fs;

use bitloop_host::{LibraryFault, PlantLibrary, StatePart};
use bitloop_plant::abi::AbiError;
use bitloop_plant::{FloatMode, Integrator, Isa, PlantHandle, Stretch};

use crate::support::{Bench, TEA, fault, refused};

#[test]
fn a_sound_library_opens_from_a_path_with_spaces() {
    let bench = Bench::new();
    let library = PlantLibrary::open(&bench.compile("two words.so", TEA)).unwrap();
    assert_eq!(library.description().name, "tea");
    assert_eq!(library.description().parameters[0].meaning, "rate of cooling");
    assert_eq!(library.digest().len(), 64);
    // Other tests close files of this process meanwhile.
    let changed = library.disturbance().parts().filter(|part| *part != StatePart::Descriptors);
    assert_eq!(changed.collect::<Vec<_>>(), []);
}

#[test]
fn what_is_no_library_is_reported_by_what_it_is() {
    let bench = Bench::new();
    assert_eq!(fault(&bench.path("nothing.so")), LibraryFault::Missing);
    assert!(matches!(fault(&bench.path("")), LibraryFault::Unreadable(_)));
    let path = bench.path("file.so");
    for (bytes, what) in [
        (&b"int main(void) {}\n"[..], "it is a text file"),
        (b"", "it is empty"),
        (b"!<arch>\nx", "it is a static library, an archive"),
        (b"\x00\x01\x02", "it does not begin as one"),
    ] {
        fs::write(&path, bytes).unwrap();
        assert_eq!(fault(&path), LibraryFault::NotALibrary(what));
    }
    let object = bench.compile_with("plant.o", TEA, &["-c"]);
    assert!(matches!(fault(&object), LibraryFault::NotALibrary(_)));
}

#[test]
fn a_library_for_another_machine_or_cut_short_is_not_loaded() {
    let bench = Bench::new();
    let path = bench.compile("plant.so", TEA);
    let bytes = fs::read(&path).unwrap();
    let mut other = bytes.clone();
    // RISC-V.
    other[18..20].copy_from_slice(&243_u16.to_le_bytes());
    fs::write(&path, other).unwrap();
    assert_eq!(fault(&path), LibraryFault::WrongMachine("RISC-V".to_owned()));
    for length in [5, 20, 100, 4096] {
        fs::write(&path, &bytes[..length]).unwrap();
        assert_eq!(fault(&path), LibraryFault::CutShort, "{length}");
    }
}

#[test]
fn missing_libraries_and_symbols_are_named() {
    let bench = Bench::new();
    bench.compile("libgone.so", "int gone(void) { return 1; }\n");
    let folder = format!("-L{}", bench.path("").display());
    let text = format!("int gone(void);\nint uses(void) {{ return gone(); }}\n{TEA}");
    let needy = bench.compile_with("needy.so", &text, &[&folder, "-lgone"]);
    assert_eq!(fault(&needy), LibraryFault::MissingDependency("libgone.so".to_owned()));
    let undefined = bench.compile("undefined.so", &text);
    assert_eq!(fault(&undefined), LibraryFault::UndefinedSymbol("gone".to_owned()));
    let other = bench.compile("other.so", "int nothing(void) { return 1; }\n");
    assert_eq!(fault(&other), LibraryFault::NoPlant);
}

/// The text of the macro that a plant of its own descriptor begins with.
fn with_descriptor(change: &str) -> String {
    let text = TEA.replace("BITLOOP_PLANT(description, equations)", "#define bitloop_plant_v1 sound\nBITLOOP_PLANT(description, equations)\n#undef bitloop_plant_v1");
    let text = text.replacen(
        "#include",
        "#include \"bitloop_plant.h\"\nconst BitloopDescriptor *sound(void);\n#include",
        1,
    );
    format!(
        "{text}\nconst BitloopDescriptor *bitloop_plant_v1(void) {{\n    static BitloopDescriptor spoiled;\n    \
         spoiled = *sound();\n    {change}\n    return &spoiled;\n}}\n"
    )
}

#[test]
fn versions_sizes_and_null_pointers_are_told_apart() {
    let bench = Bench::new();
    for (change, expected) in [
        ("spoiled.abi_version = 2;", "version 2 of the plant ABI, newer"),
        ("spoiled.abi_version = 0;", "version 0 of the plant ABI, older"),
        ("spoiled.struct_size = 8;", "its descriptor is too short: 8 bytes"),
        ("spoiled.struct_size = 1u << 31;", "its descriptor is too long"),
        ("spoiled.batch_size = 1000;", "its batch is too long: 1000 bytes"),
        ("spoiled.advance = 0;", "its function `advance` is a null pointer"),
        ("spoiled.failure_cost = 0;", "its function `failure_cost` is a null pointer"),
        ("spoiled.describe = 0;", "its function `describe` is a null pointer"),
        ("return 0;", "its descriptor is a null or misaligned pointer"),
        ("return (const BitloopDescriptor *)1;", "its descriptor is a null or misaligned pointer"),
    ] {
        let path = bench.compile("spoiled.so", &with_descriptor(change));
        let error = refused(&path);
        assert!(error.to_string().contains(expected), "{change}: {error}");
        assert!(!error.hint().is_empty());
    }
    PlantLibrary::open(&bench.compile("spoiled.so", &with_descriptor(""))).unwrap();
}

#[test]
fn faulty_descriptions_are_reported_by_their_fault() {
    let bench = Bench::new();
    let long = format!(".name = \"{}\"", "x".repeat(65));
    for (from, to, expected) in [
        (".name = \"tea\"", long.as_str(), "the plant's name is longer than 64 bytes"),
        (".name = \"tea\"", ".name = \"\\xff\"", "the plant's name is not UTF-8 text"),
        (".name = \"tea\"", ".name = 0", "the plant's name is a null pointer"),
        (".summary = \"Tea", ".summary = \"\\n", "the plant's summary has control characters"),
        (".n_states = 1", ".n_states = 4000000000u", "it has 4000000000 states: at most 256"),
        (".n_states = 1", ".n_states = 0", "the plant has no state"),
        (".states = states", ".states = 0", "its list of 1 states is a null"),
        ("\"degC\"", "0", "the unit of states[0] is a null pointer"),
        ("{BITLOOP_INTEGRATOR_EULER}", "{77}", "integrators[0] is 77, which is no integrator"),
        (".step_s = 0.5", ".step_s = -1", "`step_s` is -1: it must be positive"),
        ("0.01, 0.0, 1.0", "2.0, 0.0, 1.0", "parameter `k`: its default 2 is outside [0, 1]"),
        ("sizeof(BitloopDescription)", "4", "its description is too short: 4 bytes"),
        (
            ".step_s = 0.5",
            ".scratch_size = -1, .step_s = 0.5",
            "`scratch_size` is 18446744073709551615",
        ),
        (".step_s = 0.5", ".step_order = 99, .step_s = 0.5", "`step_order` is 99"),
    ] {
        let error = refused(&bench.spoiled(from, to));
        assert!(matches!(error.fault, LibraryFault::Abi(_)));
        assert!(error.to_string().contains(expected), "{to}: {error}");
    }
}

#[test]
fn a_plant_that_gives_no_description_gives_its_reason() {
    let bench = Bench::new();
    let describe = "static const BitloopDescription *mute(const uint64_t *s, uint32_t n, char *m, uint32_t size) {\n\
                    (void)s, (void)n, (void)size; m[0] = 'n'; m[1] = 'o'; m[2] = 0; return 0; }\n";
    let text = with_descriptor("spoiled.describe = mute;");
    let text = text.replace("BITLOOP_PLANT(", &format!("{describe}BITLOOP_PLANT("));
    let found = fault(&bench.compile("mute.so", &text));
    assert_eq!(found, LibraryFault::Abi(AbiError::NotDescribed("no".to_owned())));
}

/// A library whose `advance` is sound, and then does something else.
fn with_advance(bench: &Bench, name: &str, then: &str) -> PlantHandle {
    let advance = format!(
        "static int32_t spoil(BitloopBatch *batch) {{\n    int32_t status = sound()->advance(batch);\n    {then}\n    \
         return status;\n}}\n"
    );
    let text = with_descriptor("spoiled.advance = spoil;");
    let text = text.replace("BITLOOP_PLANT(", &format!("{advance}BITLOOP_PLANT("));
    let library = PlantLibrary::open(&bench.compile(name, &text)).unwrap();
    library.plant(None).unwrap()
}

#[test]
fn an_end_after_the_end_of_a_call_is_reported_and_forgotten() {
    let bench = Bench::new();
    let stretch = Stretch {
        tick: 0,
        n_steps: 3,
        step_s: 0.5,
        integrator: Integrator::Euler,
        counts_cost: true,
    };
    for (end, expected) in [
        (3, Ok(1)),
        (4, Err("plant `tea` broke in `advance` (status 0): a lane ended after step 4 of 3")),
        (u32::MAX, Err("a lane ended after step 4294967295 of 3")),
    ] {
        let plant = with_advance(&bench, "late.so", &format!("batch->end_step[1] = {end}u;"));
        let mut lanes = plant.lanes(4);
        let found = plant.advance(Isa::best(), &mut lanes, 4, stretch);
        match expected {
            Ok(n_ended) => assert_eq!(found, Ok(n_ended)),
            Err(text) => {
                let error = found.unwrap_err().to_string();
                assert!(error.contains(text), "{error}");
            }
        }
        let kept = if expected.is_ok() { end } else { 0 };
        assert_eq!(lanes.take_end_step(1), kept, "what is left of a broken call");
    }
}

#[test]
fn guards_tell_which_buffer_was_written_past() {
    let bench = Bench::new();
    let stretch = Stretch {
        tick: 0,
        n_steps: 1,
        step_s: 0.5,
        integrator: Integrator::Euler,
        counts_cost: true,
    };
    for (index, (write, buffer)) in [
        ("(void)batch;", None),
        ("batch->state[batch->stride] = 0;", Some("state")),
        ("batch->cost[batch->stride + 7] = 0;", Some("cost")),
        ("batch->end_step[batch->stride] = 0;", Some("end_step")),
    ]
    .into_iter()
    .enumerate()
    {
        let plant = with_advance(&bench, &format!("past{index}.so"), write);
        let mut lanes = plant.lanes(8).guarded();
        assert_eq!(lanes.broken_guard(), None);
        plant.advance(Isa::best(), &mut lanes, 8, stretch).unwrap();
        assert_eq!(lanes.broken_guard(), buffer, "{write}");
        assert_eq!(plant.lanes(8).broken_guard(), None, "nothing is guarded");
    }
}

/// Whether the floating-point mode can be looked at on this machine; says that the test is skipped if not.
fn has_float_mode() -> bool {
    let is_there = cfg!(target_arch = "x86_64");
    if !is_there {
        eprintln!("skipped: the floating-point mode is looked at on x86-64 alone");
    }
    is_there
}

#[test]
fn a_library_that_changes_the_floating_point_mode_when_it_is_loaded_is_noticed() {
    if !has_float_mode() {
        return;
    }
    let bench = Bench::new();
    let text = format!(
        "#include <locale.h>\n#include <xmmintrin.h>\n\
         __attribute__((constructor)) static void change(void) {{ _mm_setcsr(_mm_getcsr() | 0x8040); }}\n{TEA}"
    );
    let mode = FloatMode::current();
    let library = PlantLibrary::open(&bench.compile("fast.so", &text)).unwrap();
    assert!(library.disturbance().has(StatePart::FloatMode));
    assert_eq!(FloatMode::current(), mode);
}

#[test]
fn a_library_that_changes_the_mode_in_a_single_call_is_noticed_at_that_call() {
    if !has_float_mode() {
        return;
    }
    let bench = Bench::new();
    // The third call changes it, and the fourth puts it back.
    let write = "static int n; n += 1; unsigned mode; __asm__ volatile(\"stmxcsr %0\" : \"=m\"(mode)); \
                 mode = n == 3 ? mode | 0x8000 : mode & ~0x8000u; \
                 __asm__ volatile(\"ldmxcsr %0\" : : \"m\"(mode)); (void)batch;";
    let plant = with_advance(&bench, "once.so", write);
    let stretch = Stretch {
        tick: 0,
        n_steps: 1,
        step_s: 0.5,
        integrator: Integrator::Euler,
        counts_cost: true,
    };
    let mode = FloatMode::current();
    let mut lanes = plant.lanes(8);
    plant.watch(&mut lanes);
    for call in 1..=4 {
        let error = plant.advance(Isa::best(), &mut lanes, 8, stretch).err();
        let noticed = error.is_some_and(|error| error.to_string().contains("`advance`"));
        assert_eq!(noticed, call == 3, "call {call}");
        assert_eq!(FloatMode::current(), mode);
    }
    plant.end_watch(&mut lanes).unwrap();
}
