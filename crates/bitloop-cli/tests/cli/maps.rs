//! `bitloop map`.

use crate::support::Bench;

const MAP: [&str; 8] = [
    "map",
    "run/controller.ron",
    "--axes",
    "theta=-1:1,theta_dot=-2:2",
    "--grid",
    "7x5",
    "-o",
    "map.svg",
];

#[test]
fn a_map_has_a_cell_for_each_start_and_is_the_same_on_any_number_of_threads() {
    let (bench, _) = Bench::with_controller();
    let text = bench.run(&[&MAP[..], &["--csv", "map.csv", "--threads", "1"]].concat()).stdout;
    assert!(text.contains("35 episodes of 5 s"), "{text}");
    let (svg, csv) = (bench.read("map.svg"), bench.read("map.csv"));
    assert!(svg.starts_with("<svg") && svg.contains("theta_dot [rad/s]"), "{svg}");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((lines.len(), lines[0]), (36, "theta,theta_dot,error,end,settling_s"));
    assert!(lines[1].starts_with("-1.0,-2.0,") && lines[35].starts_with("1.0,2.0,"), "{csv}");
    // The middle stays up, the corner does not.
    assert!(lines[18].contains(",horizon,") && lines[1].contains(",failed,"), "{csv}");
    let again =
        bench.run(&[&MAP[..], &["--csv", "map.csv", "--threads", "3", "--json"]].concat()).json();
    assert_eq!((bench.read("map.svg"), bench.read("map.csv")), (svg, csv));
    assert_eq!(again["cells"], 35);
    assert_eq!(again["errors"].as_array().unwrap().len(), 35);
}

#[test]
fn what_is_no_map_is_refused() {
    let (bench, _) = Bench::with_controller();
    for (axes, fragments) in [
        ("thetta,theta_dot=-1:1", ["axis `thetta`", "did you mean `theta`?"]),
        ("theta,theta_dot", ["the test draws it from no range", "theta_dot=-0.5:0.5"]),
        ("theta=1:0,x=-1:1", ["1.0 is not below 0.0", "give its range"]),
        ("theta=a:b,x=-1:1", ["`a:b` is no range", "give its range"]),
        ("theta,theta=-1:1", ["it is the other axis too", "name two that differ"]),
        ("length=-1:1,x=-1:1", ["leaves the bounds of the plant", "narrower"]),
        ("theta", ["two names with a comma", "theta,theta_dot"]),
    ] {
        let args = ["map", "run/controller.ron", "--axes", axes, "-o", "map.svg"];
        bench.run(&args).assert_refused(2, &fragments);
    }
    bench
        .run(&[&MAP[..], &["--resume"]].concat())
        .assert_refused(3, &["there is no map to continue", "without --resume"]);
    bench.write("map.svg.part", "no map");
    bench
        .run(&[&MAP[..], &["--resume"]].concat())
        .assert_refused(3, &["it is damaged, or no map", "without --resume"]);
}

#[test]
fn outputs_go_to_files_of_their_own() {
    let (bench, _) = Bench::with_controller();
    let with = |more: &[&'static str]| [&MAP[..6], more].concat();
    for (args, code, fragment) in [
        (with(&["-o", "-"]), 2, "name a file"),
        (with(&["-o", "map.svg", "--csv", "-"]), 2, "name a file"),
        (with(&["-o", "map.pdf"]), 2, "pictures are written as SVG or PNG"),
        (with(&["-o", "map.svg", "--csv", "map.svg"]), 2, "the same file"),
        (with(&["-o", "map.svg", "--horizon", "1e-3"]), 2, "change --horizon"),
        (with(&["-o", "map.svg", "--episodes", "5"]), 2, "--episodes"),
        (vec!["robust", "run/controller.ron", "-o", "-"], 2, "name a file"),
        (vec!["worst", "run/controller.ron", "-o", "-"], 2, "name a file"),
        (vec!["worst", "run/controller.ron", "-o", "run/controller.ron"], 1, "reads it, too"),
    ] {
        bench.run(&args).assert_refused(code, &[fragment]);
        assert!(!bench.path("-").exists() && !bench.path("map.svg").exists());
    }
    // A file of this name can still be meant.
    let named = bench.run(&["plot", "weights", "run/controller.ron", "-o", "./-"]);
    assert_eq!(named.code, Some(0), "{named:?}");
    assert!(bench.path("-").exists());
}
