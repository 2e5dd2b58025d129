//! Wrong controllers, refused with exit code 3.

use crate::support::{Bench, QUICK, QUICK_FIT};

#[test]
fn a_controller_for_another_plant_is_reported() {
    let (bench, _) = Bench::with_controller();
    let good = bench.read("run/controller.ron");

    // A controller that was edited to be for another plant.
    let of_another = good.replacen("name: \"inverted-pendulum\"", "name: \"quadrotor\"", 1);
    bench.write("other.ron", &of_another);
    let refused = bench.run(&["replay", "other.ron"]);
    refused.assert_refused(3, &["the content digest does not match", "--> other.ron:", "hint"]);

    // A scenario for another plant.
    bench.write("scenario.ron", &QUICK.replace("inverted-pendulum", "quadrotor"));
    bench
        .run(&["replay", "run/controller.ron", "--scenario", "scenario.ron"])
        .assert_refused(3, &["this controller is for plant `inverted-pendulum`", "`quadrotor`"]);
}

#[test]
fn damaged_controllers_are_reported() {
    let (bench, _) = Bench::with_controller();
    let good = bench.read("run/controller.ron");
    let codes = good.split_once("codes: [").unwrap().1.split_once(']').unwrap().0;
    let first = format!("{},", codes.split_once(',').unwrap().0);
    let spoiled = [
        (good.replacen(&first, "", 1), "18 weights, but the network has 19"),
        (good.replacen(&first, "0, 0,", 1), "20 weights, but the network has 19"),
        (good.replacen(&first, "2048,", 1), "the code 2048 does not fit in 12 bits"),
        (good.replacen("units: 3", "units: 4", 1), "19 weights, but the network has 25"),
        (good.replacen("Tanh", "Logistic", 1), "the digest does not match"),
        (good.replacen("bits: 12", "bits: 25", 1), "bits must be from 2 to 24"),
        (good.replacen("\"x\"", "\"y\"", 1), "the content digest does not match"),
        (good.replacen("\"force\"", "\"torque\"", 1), "the content digest does not match"),
        (good.split_once(codes).unwrap().0.to_owned(), "a bracket or quote is not closed"),
        (String::new(), "this file is empty"),
        (QUICK.to_owned(), "this is a scenario, where a saved controller is needed"),
    ];
    for (text, message) in spoiled {
        bench.write("spoiled.ron", &text);
        let outcome = bench.run(&["replay", "spoiled.ron", "--json"]);
        outcome.assert_refused(3, &[message, "--> spoiled.ron"]);
    }
    let predicted = bench.run(&["predict", "run/controller.ron", "--data", "rows.csv"]);
    predicted.assert_refused(3, &["this is a controller", "--> run/controller.ron:", "replay"]);
    bench.write("fit.ron", QUICK_FIT);
    bench
        .run(&["replay", "run/controller.ron", "--scenario", "fit.ron"])
        .assert_refused(3, &["on examples", "--> fit.ron:1:1"]);
    bench.run(&["replay", "missing.ron"]).assert_refused(3, &["no such file"]);
    // A folder stands for the controller in it, if there is one.
    std::fs::create_dir(bench.path("empty")).unwrap();
    for args in [&["replay", "empty"][..], &["controller", "show", "empty"]] {
        bench.run(args).assert_refused(3, &["this is a folder, not a file"]);
    }
}
