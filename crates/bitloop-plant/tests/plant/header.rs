//! `include/bitloop_plant.h` is what the Rust side of the contract says: made again, and compiled to compare sizes.

use std::fmt::Write as _;
use std::fs;
use std::mem::offset_of;
use std::path::PathBuf;
use std::process::Command;

use bitloop_plant::abi::{
    self, Descriptor, InstancesPart, MathTable, PicturePart, RawDescription, RawFrame, RawNumber,
    RawParameter, RawPicture, RawShape, RawStructuralParameter, RawTerm, RawVariable, VectorMath,
};
use bitloop_plant::picture::{Kind, Role, ShapeKind};
use bitloop_plant::{
    Batch, Integrator, MAX_NAME_BYTES, MAX_TEXT_BYTES, MAX_VARIABLES, STATUS_BAD_CALL, STATUS_OK,
    STATUS_PANIC,
};

const HOW: &str = "BITLOOP_WRITE_HEADER=1 cargo test -p bitloop-plant --test plant header";

fn crate_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The header as the sources have it now.
fn generated() -> String {
    let folder = crate_folder();
    let mut builder = cbindgen::Builder::new()
        .with_config(cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap());
    for source in [
        "description.rs",
        "codes.rs",
        "contract/batch.rs",
        "contract/descriptor.rs",
        "contract/instances.rs",
        "contract/math_table.rs",
        "contract/picture.rs",
        "contract/vector_math.rs",
    ] {
        builder = builder.with_src(folder.join("src").join(source));
    }
    let mut text = Vec::new();
    builder.generate().unwrap().write(&mut text);
    String::from_utf8(text).unwrap()
}

#[test]
fn the_header_is_generated_from_the_sources() {
    let path = crate_folder().join("include/bitloop_plant.h");
    let generated = generated();
    if std::env::var_os("BITLOOP_WRITE_HEADER").is_some() {
        fs::write(&path, &generated).unwrap();
    }
    let header = fs::read_to_string(&path).unwrap_or_default();
    assert!(header == generated, "{} is stale; run {HOW}", path.display());
}

/// Compiles and runs a program with the headers, and gives what it prints.
fn run(compiler: &[&str], file: &str, text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join(file), folder.path().join("program"));
    fs::write(&source, text).unwrap();
    let output = Command::new(compiler[0])
        .args(&compiler[1..])
        .args(["-Wall", "-Wextra", "-Werror", "-pedantic", "-I"])
        .arg(crate_folder().join("include"))
        .arg("-o")
        .arg(&program)
        .arg(&source)
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", compiler[0]));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(program).output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

/// A line `name size` for a structure, and `name.field offset` for each of its fields, as Rust and as C see them.
macro_rules! layouts {
    ($($rust:ident as $c:literal { $($field:ident),* $(,)? })*) => {{
        let mut rust = String::new();
        let mut c = String::new();
        $(
            // Not compiled if a field is left out.
            let _ = |value: $rust| { let $rust { $($field: _),* } = value; };
            rust += &format!("{} {}\n", $c, size_of::<$rust>());
            c += &format!("    printf(\"{0} %u\\n\", (unsigned)sizeof({0}));\n", $c);
            $(
                let (field, offset) = (stringify!($field), offset_of!($rust, $field));
                rust += &format!("{}.{field} {offset}\n", $c);
                c += &format!(
                    "    printf(\"{0}.{field} %u\\n\", (unsigned)offsetof({0}, {field}));\n", $c
                );
            )*
        )*
        (rust, c)
    }};
}

#[test]
fn c_and_cpp_see_the_layouts_that_rust_sees() {
    let (rust, c) = layouts! {
        Descriptor as "BitloopDescriptor" {
            abi_version, struct_size, batch_size, capabilities, describe, release_description,
            optional_part, advance, observe, terminal_cost, failure_cost,
        }
        RawDescription as "BitloopDescription" {
            struct_size, n_states, n_controls, n_observations, n_parameters, n_structure,
            n_integrators, step_order, name, version, summary, states, controls, observations,
            parameters, structure, integrators, step_s, sample_time_s, scratch_size,
        }
        RawVariable as "BitloopVariable" { name, unit, min, max, center, scale, start }
        RawParameter as "BitloopParameter" { name, unit, meaning, usual, min, max }
        RawStructuralParameter as "BitloopStructuralParameter" { name, meaning, usual, min, max }
        Batch as "BitloopBatch" {
            struct_size, isa, n_lanes, stride, structure, n_structure, n_steps, parameters, state,
            control, observation, cost, end_step, end_cost, scratch, message, math, tick, step_s,
            message_size, integrator, counts_cost, reserved,
        }
        PicturePart as "BitloopPicturePart" {
            struct_size, reserved, picture, release_picture,
        }
        InstancesPart as "BitloopInstancesPart" {
            struct_size, reserved, make_worker, drop_worker, begin, observe, advance, terminal_cost,
            state_size, get_state, set_state,
        }
        RawPicture as "BitloopPicture" {
            struct_size, n_frames, n_shapes, follow, left, right, bottom, top, frames, shapes,
        }
        RawFrame as "BitloopFrame" { parent, x, y, angle }
        RawShape as "BitloopShape" { frame, kind, role, n_numbers, numbers, text }
        RawNumber as "BitloopNumber" { offset, terms }
        RawTerm as "BitloopTerm" { factor, kind, index }
        MathTable as "BitloopMath" {
            struct_size, reserved, sin, cos, sin_cos, tan, atan2, exp, expm1, ln, pow, tanh,
            logistic, sqrt, fma, vectors,
        }
        VectorMath as "BitloopVectorMath" {
            struct_size, reserved, sin, cos, sin_cos, tan, atan2, exp, expm1, ln, pow, tanh,
            logistic,
        }
    };
    let program = format!(
        "#include \"bitloop_plant.h\"\n#include <stddef.h>\n#include <stdio.h>\n\
         int main(void) {{\n{c}    return 0;\n}}\n"
    );
    for (compiler, file) in [(&["cc", "-std=c99"], "a.c"), (&["c++", "-std=c++11"], "a.cpp")] {
        assert_eq!(run(compiler, file, &program), rust, "{compiler:?}");
    }
}

#[test]
fn constants_are_the_same_in_c() {
    let values = [
        ("ABI_VERSION", u64::from(abi::ABI_VERSION)),
        ("CAPABILITY_PORTABLE", u64::from(abi::CAPABILITY_PORTABLE)),
        ("CAPABILITY_AVX2", u64::from(abi::CAPABILITY_AVX2)),
        ("CAPABILITY_AVX512", u64::from(abi::CAPABILITY_AVX512)),
        ("CAPABILITY_LANE_BY_LANE", u64::from(abi::CAPABILITY_LANE_BY_LANE)),
        ("CAPABILITY_MACHINE_BITS", u64::from(abi::CAPABILITY_MACHINE_BITS)),
        ("MAX_SCRATCH_BYTES", abi::MAX_SCRATCH_BYTES as u64),
        ("MAX_SLOT_BYTES", abi::MAX_SLOT_BYTES as u64),
        ("MAX_STEP_ORDER", u64::from(abi::MAX_STEP_ORDER)),
        ("MAX_NAME_BYTES", MAX_NAME_BYTES as u64),
        ("MAX_TEXT_BYTES", MAX_TEXT_BYTES as u64),
        ("MAX_VARIABLES", MAX_VARIABLES as u64),
        ("STATUS_OK", u64::from(STATUS_OK.unsigned_abs())),
        ("STATUS_BAD_CALL", u64::from(STATUS_BAD_CALL.unsigned_abs())),
        ("STATUS_PANIC", u64::from(STATUS_PANIC.unsigned_abs())),
        ("PICTURE_STATE", u64::from(Kind::State.code())),
        ("PICTURE_OBSERVATION", u64::from(Kind::Observation.code())),
        ("PICTURE_CONTROL", u64::from(Kind::Control.code())),
        ("PICTURE_PARAMETER", u64::from(Kind::Parameter.code())),
        ("SHAPE_LINE", u64::from(ShapeKind::Line.code())),
        ("SHAPE_CIRCLE", u64::from(ShapeKind::Circle.code())),
        ("SHAPE_RECT", u64::from(ShapeKind::Rect.code())),
        ("SHAPE_POLYLINE", u64::from(ShapeKind::Polyline.code())),
        ("SHAPE_TEXT", u64::from(ShapeKind::Text.code())),
        ("ROLE_GROUND", u64::from(Role::Ground.code())),
        ("ROLE_BODY", u64::from(Role::Body.code())),
        ("ROLE_MOVING", u64::from(Role::Moving.code())),
        ("ROLE_TARGET", u64::from(Role::Target.code())),
        ("ROLE_FORCE", u64::from(Role::Force.code())),
        ("INTEGRATOR_EULER", u64::from(Integrator::Euler.code())),
        ("INTEGRATOR_SEMI_IMPLICIT_EULER", u64::from(Integrator::SemiImplicitEuler.code())),
        ("INTEGRATOR_RUNGE_KUTTA_4", u64::from(Integrator::RungeKutta4.code())),
        ("INTEGRATOR_PLANT_STEP", u64::from(Integrator::PlantStep.code())),
    ];
    let mut program =
        "#include \"bitloop_plant.h\"\n#include <stdio.h>\nint main(void) {\n".to_owned();
    let mut expected = String::new();
    for (name, value) in values {
        let _ = writeln!(program, "    printf(\"{name} %lu\\n\", (unsigned long)BITLOOP_{name});");
        let _ = writeln!(expected, "{name} {value}");
    }
    program += "    return 0;\n}\n";
    assert_eq!(run(&["cc", "-std=c99"], "a.c", &program), expected);
}

/// Libraries that were built before a field was appended find all that they know where it was.
#[test]
fn what_libraries_know_stays_where_it_was() {
    assert_eq!(
        [size_of::<Descriptor>(), size_of::<Batch>(), size_of::<RawDescription>()],
        [72, 144, 128]
    );
    let fields = [
        offset_of!(MathTable, struct_size),
        offset_of!(MathTable, sin),
        offset_of!(MathTable, sin_cos),
        offset_of!(MathTable, atan2),
        offset_of!(MathTable, pow),
        offset_of!(MathTable, fma),
        offset_of!(MathTable, vectors),
    ];
    assert_eq!(fields, [0, 8, 24, 40, 72, 104, 112]);
    assert_eq!(offset_of!(Batch, math), 104);
}
