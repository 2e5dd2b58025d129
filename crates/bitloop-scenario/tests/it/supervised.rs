//! Scenarios on examples and saved models: defaults, digests, and what is written reads back.

use bitloop_scenario::{
    Activation, AnySaved, AnyScenario, Codes, ColumnChoice, DataSource, Fit, Fits, Format, Layer,
    LayerScales, Loss, MadeBy, ModelFile, ModelWeights, Network, OutputScale, PartSize,
    Regularization, SavedColumn, SavedModel, SavedOutputFit, SavedRowDigests, SavedRows,
    SavedValues, ScalingMethod, ScenarioKind as _, SupervisedFile, SupervisedTraining, Targets,
};
use proptest::prelude::*;

const GOOD: &str = r#"Supervised( // examples
    data: File(path: "there/rows.csv", ignored: [1], nominal: ["kind"], targets: Classes("place")),
    split: (training: 70, validation: 30),
    network: (hidden: [5, 3], hidden_activation: [Tanh, Logistic]),
    training: TelescopicBlm(bits: 12, max_weight: 10, zero_share: 0.5, growth: AtLocalMinimum),
    stop: (target: 0.1, seconds: 60),
)"#;

fn parse(text: &str) -> SupervisedFile {
    SupervisedFile::parse(text, "a.ron").unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn defaults_are_the_paper_s() {
    let file = parse(GOOD);
    let scenario = &file.value;
    assert_eq!(scenario.scaling.inputs, Some([-1.0, 1.0]));
    assert_eq!(scenario.scaling.targets, Some([0.0, 1.0]));
    assert_eq!(scenario.seed, 1);
    assert_eq!(scenario.regularization, Regularization::Weight(0.0));
    let DataSource::File(data) = &scenario.data else { panic!("a file") };
    assert!(data.header && data.inputs.is_none());
    assert_eq!(data.ignored, [ColumnChoice::Number(1)]);
    assert_eq!(data.targets, Targets::Classes(ColumnChoice::Name("place".to_owned())));
    // The output layer follows from targets, loss and trainer.
    let output = |text: &str| parse(text).value.network.output_activation;
    assert_eq!(output(GOOD), Some(Activation::Logistic));
    let numbers = GOOD.replace("Classes(\"place\")", "Numbers([2])");
    assert_eq!(output(&numbers), Some(Activation::Linear));
    let softmax = GOOD.replace("stop:", "loss: SoftmaxCrossEntropy, stop:");
    assert_eq!(output(&softmax), Some(Activation::Linear));
    let (head, _) = GOOD.split_once("    training: T").unwrap();
    let machine = parse(&format!("{head} training: ExtremeLearning(units: 9))"));
    assert_eq!(machine.value.network.output_activation, Some(Activation::Linear));
    assert_eq!(machine.value.hidden(), [9]);
    // Spirals bring their split along.
    let spirals =
        "Supervised(data: Spirals(Halves193), network: (hidden: []), training: OneStepSecant())";
    let spirals = parse(spirals).value;
    assert_eq!(
        spirals.split.map(|split| (split.training, split.test)),
        Some((PartSize::Rows(193), PartSize::Rows(193)))
    );
    assert_eq!(spirals.stop.runs, Some(1));
}

#[test]
fn bits_alone_leave_the_scales_to_the_data() {
    let open = |targets: &str, more: &str| {
        parse(&format!(
            "Supervised(data: File(path: \"d\", targets: {targets}), split: (training: 9), \
             network: (hidden: [3]), training: TelescopicBlm(bits: 2){more})"
        ))
        .value
    };
    let numbers = open("Numbers([1])", "");
    assert_eq!(numbers.scaling.method, ScalingMethod::Standard);
    assert_eq!(numbers.network.layer_scales, Some(LayerScales::FromData));
    assert_eq!(numbers.network.output_scale, Some(OutputScale::Fitted));
    assert_eq!((numbers.stop.runs, numbers.stop.run_evaluations), (Some(1), Some(500_000)));
    assert_eq!(numbers.regularization, Regularization::Auto);
    assert_eq!(parse(&numbers.to_text()).value, numbers);
    let classes = open("Classes(1)", "");
    assert_eq!(classes.loss, Loss::SoftmaxCrossEntropy);
    assert_eq!(classes.network.output_scale, Some(OutputScale::Fixed));
    assert_eq!(parse(&classes.to_text()).value, classes);
    // Of two classes, the one output is logistic.
    assert_eq!(classes.for_outputs(3), classes);
    let two = classes.for_outputs(1);
    assert_eq!(two.loss, Loss::LogisticCrossEntropy);
    assert_eq!(two.network.output_activation, Some(Activation::Logistic));
    two.check().unwrap();
    // What is given stays.
    let given = ", loss: SquaredError, scaling: (inputs: None), regularization: 2";
    let given = open("Classes(1)", given);
    assert_eq!(given.regularization, Regularization::Weight(2.0));
    assert_eq!((given.loss, given.scaling.inputs), (Loss::SquaredError, None));
    assert_eq!(given.scaling.method, ScalingMethod::Range);
}

#[test]
fn scales_that_do_not_fit_are_refused() {
    let refused = |network: &str, training: &str, hint: &str| {
        let text = format!(
            "Supervised(data: File(path: \"d\", targets: Numbers([1])), split: (training: 9), \
             network: (hidden: [3], {network}), training: {training})"
        );
        let error = SupervisedFile::parse(&text, "a.ron").unwrap_err().to_string();
        assert!(error.contains(hint), "{error}");
    };
    refused("layer_scales: PowersOfTwo([1])", "TelescopicBlm()", "1 exponents for 2 layers");
    refused("layer_scales: PowersOfTwo([1, 65])", "TelescopicBlm()", "from -64 to 64, found 65");
    refused("layer_scales: FromData", "OneStepSecant()", "OneStepSecant has no scales");
    refused("output_scale: Fitted, output_activation: Tanh", "TelescopicBlm()", "Linear outputs");
}

#[test]
fn a_scenario_reads_back_and_its_digest_leaves_out_folders() {
    let file = parse(GOOD);
    let again = parse(&file.value.to_text());
    assert_eq!(again.value, file.value);
    let elsewhere = parse(&GOOD.replace("there/rows.csv", "/else/where/rows.csv"));
    assert_eq!(elsewhere.value.digest(), file.value.digest());
    assert_ne!(parse(&GOOD.replace("rows.csv", "r.csv")).value.digest(), file.value.digest());
    let later = parse(&GOOD.replace("seconds: 60", "seconds: 70"));
    assert_ne!(later.value.digest(), file.value.digest());
    assert_eq!(later.value.search_digest(), file.value.search_digest());
}

#[test]
fn the_first_name_tells_the_kind_and_trainers_can_be_varied() {
    let any = AnyScenario::parse(GOOD, "a.ron").unwrap();
    let varied = any.with_values(&[
        ("training", "ExtremeLearning(ridges: [1, 10], units: 8)"),
        ("network", "(hidden: [4])"),
        ("data.path", "\"b.csv\""),
    ]);
    let AnyScenario::Supervised(file) = varied.unwrap() else { panic!("supervised") };
    assert!(matches!(file.value.training, SupervisedTraining::ExtremeLearning(_)));
    let error = AnyScenario::parse("Scenario(plnt: 5)", "a.ron").unwrap_err().to_string();
    assert!(error.contains("did you mean `plant`?"), "{error}");
}

fn column(name: &str, values: SavedValues) -> SavedColumn {
    SavedColumn { name: Some(name.to_owned()), number: 3, values, fill: None }
}

/// Both digests, as they are written.
fn seal(model: &mut SavedModel) {
    model.digest = model.computed_digest();
    model.content_digest = model.computed_content_digest();
}

pub fn model() -> SavedModel {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    let mut model = SavedModel {
        row_digests: SavedRowDigests::default(),
        format: SavedModel::FORMAT_NUMBER,
        rows: SavedRows { format: Format::Csv, header: true },
        inputs: vec![
            column("size", SavedValues::Scaled { min: 0.1, max: 0.7, low: -1.0, high: 1.0 }),
            column("kind", SavedValues::Words(words(&["big", "sm,\"all"]))),
        ],
        targets: vec![column("place", SavedValues::Classes(words(&["here", "there"])))],
        network: Network::FeedForward {
            layers: vec![Layer { units: 1, activation: Activation::Logistic }],
            direct: false,
        },
        weights: ModelWeights::Real(vec![0.1, -1e-300, 3.0, 0.5]),
        layer_scales: vec![],
        output_fits: vec![],
        class_weights: vec![],
        threshold: None,
        regularization: None,
        fits: Fits {
            training: Some(Fit { rows: 70, rmse: Some(0.1), loss: None, classified: Some(0.75) }),
            ..Fits::default()
        },
        made_by: MadeBy {
            command: "bitloop train \"a.ron\"".to_owned(),
            scenario: "a.ron".to_owned(),
            scenario_digest: String::new(),
            seed: u64::MAX,
            run: 0,
            bitloop_version: "0.1.0".to_owned(),
        },
        scenario: parse(GOOD).value.without_folders(),
        digest: String::new(),
        content_digest: String::new(),
    };
    seal(&mut model);
    model
}

#[test]
fn a_model_that_contradicts_itself_is_refused() {
    type Spoil = fn(&mut SavedModel);
    let spoils: [(Spoil, &str); 12] = [
        (|model| model.inputs.clear(), "there are none"),
        (|model| model.inputs[0].number = 0, "counted from 1"),
        (|model| model.targets[0].values = SavedValues::Classes(vec!["one".to_owned()]), "too few"),
        // Of one word, there would be no second one for an output from 0.5 on.
        (|model| model.targets[0].values = SavedValues::Words(vec!["a".to_owned()]), "for inputs"),
        (
            |model| model.inputs[1].values = SavedValues::Classes(vec!["a".into(), "b".into()]),
            "for targets",
        ),
        (
            |model| model.inputs[1].values = SavedValues::Words(vec!["a".to_owned(); 2]),
            "listed twice",
        ),
        (|model| model.weights = ModelWeights::Real(vec![0.5; 3]), "3 weights, but the network"),
        (|model| model.weights = ModelWeights::Real(vec![f64::NAN; 4]), "not finite"),
        (|model| model.network = Network::FeedForward { layers: vec![], direct: false }, "0 units"),
        (|model| model.layer_scales = vec![1, 2], "exponents are not 1"),
        (
            |model| model.output_fits = vec![SavedOutputFit { scale: f64::NAN, offset: 0.0 }],
            "not finite",
        ),
        (
            |model| {
                model.fits.test =
                    Some(Fit { rows: 1, rmse: None, loss: Some(0.5), classified: Some(1.5) });
            },
            "from 0 to 1",
        ),
    ];
    model().check().unwrap();
    for (spoil, message) in spoils {
        let mut model = model();
        spoil(&mut model);
        let problem = model.to_text().unwrap_err().to_string();
        assert!(problem.contains(message), "{problem}");
    }
}

proptest! {
    #[test]
    fn a_model_reads_back_bit_for_bit(
        weights in prop::collection::vec(any::<f64>().prop_filter("finite", |w| w.is_finite()), 4),
        codes in prop::collection::vec(-2048i32..2048, 4),
        is_real: bool, rmse in 0.0..1e300, name in "\\PC{0,20}",
    ) {
        let mut model = model();
        model.weights = if is_real {
            ModelWeights::Real(weights)
        } else {
            ModelWeights::Codes(Codes { bits: 12, max_weight: 6.0, codes })
        };
        model.fits.test = Some(Fit { rows: 1, rmse: Some(rmse), loss: None, classified: None });
        model.inputs[0].name = Some(name);
        if is_real {
            model.layer_scales = vec![-3];
            model.output_fits = vec![SavedOutputFit { scale: -0.1, offset: 1e-9 }];
        }
        seal(&mut model);
        let text = model.to_text().unwrap();
        let read = ModelFile::parse(&text, "a.ron").unwrap_or_else(|error| panic!("{error}"));
        prop_assert_eq!(&read.value, &model);
        prop_assert_eq!(read.value.to_text().unwrap(), text);
    }

    #[test]
    fn spoiled_text_is_read_or_refused(at in 0usize..400, with in "\\PC{0,6}", n_cut in 0usize..9) {
        let at = GOOD.floor_char_boundary(at.min(GOOD.len()));
        let end = GOOD.floor_char_boundary((at + n_cut).min(GOOD.len()));
        let text = format!("{}{with}{}", &GOOD[..at], &GOOD[end..]);
        if let Err(error) = AnyScenario::parse(&text, "a.ron") {
            prop_assert!(error.to_string().contains("a.ron"));
        }
    }
}

#[test]
fn what_is_saved_is_reported_by_its_first_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.ron");
    std::fs::write(&path, model().to_text().unwrap()).unwrap();
    let saved = AnySaved::read(&path).unwrap();
    assert!(matches!(saved, AnySaved::Model(_)));
    assert_eq!(saved.digest(), model().digest);
    std::fs::write(&path, "Kontroller()").unwrap();
    assert!(AnySaved::read(&path).is_err());
}
