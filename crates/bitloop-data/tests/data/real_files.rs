//! The public files, where they lie beside the project. A test whose file is absent says so and passes.

use std::path::PathBuf;

use bitloop_data::{
    ClassWeights, ColumnChoice, Columns, DataSource, DataSpec, Dataset, Format, Limits, Missing,
    OwnFiles, RowOrder, Scaling, Spirals, Split, Table, Targets,
};

/// A file of the folder with the public data, if it is there.
fn public_file(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    if path.is_file() {
        return Some(path);
    }
    eprintln!("SKIPPED: {} is not there", path.display());
    None
}

fn spec(
    path: PathBuf,
    format: Format,
    has_header: bool,
    columns: Columns,
    [n_training, n_validation]: [usize; 2],
) -> DataSpec {
    DataSpec {
        source: DataSource::File { path, format, has_header },
        columns,
        scaling: Scaling::default(),
        own_files: OwnFiles::default(),
        missing: Missing::Refuse,
        class_weights: ClassWeights::Equal,
        split: Split::of_rows(
            RowOrder::Random { seed: 1, split_index: 0 },
            [n_training, n_validation, 0],
        ),
        limits: Limits::default(),
    }
}

/// Scaled training inputs and number targets fill their ranges, unless they are constant; returns how many are constant.
fn check_ranges(data: &Dataset) -> usize {
    let mut n_constant = 0;
    for input in &data.training.inputs {
        let [min, max] = [f64::min, f64::max].map(|of| input.iter().copied().reduce(of).unwrap());
        if min == max {
            n_constant += 1;
        } else {
            assert_eq!([min, max], [-1.0, 1.0]);
        }
    }
    n_constant
}

#[test]
fn house_16h() {
    let Some(path) = public_file("house16H/574_house_16H.tsv.gz") else { return };
    let columns = Columns {
        inputs: None,
        ignored: vec![],
        nominal: vec![],
        targets: Targets::Numbers(vec![ColumnChoice::Name("target".to_owned())]),
    };
    let spec = spec(path, Format::Tsv, true, columns, [15_948, 6_836]);
    let table = spec.source.table(&spec.limits).unwrap();
    assert_eq!((table.n_rows(), table.n_columns()), (22_784, 17));
    let price = |row: usize| table.cell(row, 16).parse::<f64>().unwrap();
    assert_eq!((0..22_784).filter(|&row| price(row) == 14_999.0).count(), 3_111);
    assert_eq!((0..22_784).map(price).fold(0.0, f64::max), 500_001.0);
    assert_eq!(table.cell(0, 1), "0.4608690142631531");

    let data = spec.load().unwrap();
    assert_eq!((data.training.n_samples, data.validation.n_samples), (15_948, 6_836));
    assert_eq!((data.training.n_inputs(), data.training.n_outputs()), (16, 1));
    assert_eq!(check_ranges(&data), 0);
    let largest = data.training.targets[0].iter().copied().fold(0.0, f64::max);
    assert_eq!(largest, 1.0);
}

#[test]
fn yeast() {
    let Some(path) = public_file("yeast/yeast.data") else { return };
    let columns = Columns {
        inputs: None,
        ignored: vec![ColumnChoice::Number(1)],
        nominal: vec![],
        targets: Targets::Classes(ColumnChoice::Number(10)),
    };
    let mut spec = spec(path, Format::Whitespace, false, columns, [1_038, 446]);
    let data = spec.load().unwrap();
    assert_eq!((data.training.n_samples, data.validation.n_samples), (1_038, 446));
    assert_eq!((data.training.n_inputs(), data.training.n_outputs()), (8, 10));
    check_ranges(&data);

    // All rows, classes in alphabetic order.
    spec.split = Split::all(1_484);
    let all = spec.load().unwrap().training;
    let counts: Vec<f64> = all.targets.iter().map(|class| class.iter().sum()).collect();
    let [cyt, erl, exc, me1, me2, me3, mit, nuc, pox, vac] =
        [463.0, 5.0, 35.0, 44.0, 51.0, 163.0, 244.0, 429.0, 20.0, 30.0];
    assert_eq!(counts, [cyt, erl, exc, me1, me2, me3, mit, nuc, pox, vac]);

    // `erl`, column 6, is constant but for 14 rows: a training part without those does not divide by zero.
    let table = spec.source.table(&spec.limits).unwrap();
    let usual: Vec<usize> = (0..1_484).filter(|&row| table.cell(row, 5) == "0.50").collect();
    assert_eq!(usual.len(), 1_470);
    let encoding = bitloop_data::Encoding::learn(
        &table,
        &spec.columns,
        Scaling::default(),
        Missing::Refuse,
        &usual,
    )
    .unwrap();
    assert!(encoding.inputs(&table).unwrap()[4].iter().all(|&x| x == 0.0));
}

#[test]
fn abalone() {
    let Some(path) = public_file("abalone/abalone.data") else { return };
    let columns = Columns {
        inputs: None,
        ignored: vec![],
        nominal: vec![ColumnChoice::Number(1)],
        targets: Targets::Numbers(vec![ColumnChoice::Number(9)]),
    };
    let mut spec = spec(path, Format::Csv, false, columns, [2_924, 1_253]);
    let data = spec.load().unwrap();
    assert_eq!((data.training.n_samples, data.validation.n_samples), (2_924, 1_253));
    assert_eq!((data.training.n_inputs(), data.training.n_outputs()), (10, 1));
    assert_eq!(check_ranges(&data), 0);

    spec.split = Split::all(4_177);
    spec.scaling = Scaling { inputs: None, targets: None, ..Scaling::default() };
    let all = spec.load().unwrap().training;
    let height = &all.inputs[5];
    assert_eq!((height[1257], height[3996]), (0.0, 0.0));
    assert_eq!(height.iter().filter(|&&h| h == 0.0).count(), 2);
    let rings = &all.targets[0];
    let [min, max] = [f64::min, f64::max].map(|of| rings.iter().copied().reduce(of).unwrap());
    assert_eq!([min, max], [1.0, 29.0]);
    // Exactly one of F, I, M in each row.
    for k in 0..all.n_samples {
        assert_eq!((0..3).map(|word| all.inputs[word][k]).sum::<f64>(), -1.0);
    }
}

#[test]
fn generated_spirals_are_those_of_the_files() {
    let limits = Limits::default();
    for (name, spirals, first) in [
        ("two-spirals/cmu-194.csv", Spirals::Cmu194, 0),
        ("two-spirals/split193-train.csv", Spirals::Halves193, 0),
        ("two-spirals/split193-test.csv", Spirals::Halves193, 193),
    ] {
        let Some(path) = public_file(name) else { continue };
        let published = Table::read(&path, Format::Csv, true, &limits).unwrap();
        let generated = spirals.table();
        assert_eq!(published.n_rows(), generated.n_rows().min(first + published.n_rows()) - first);
        for row in 0..published.n_rows() {
            assert_eq!(published.cell(row, 2), generated.cell(first + row, 2), "{name}");
            for column in 0..2 {
                let of = |table: &Table, row| table.cell(row, column).parse::<f64>().unwrap();
                // Sine and cosine of two libraries, times a radius of at most 6.5.
                assert!((of(&published, row) - of(&generated, first + row)).abs() < 1e-14);
            }
        }
    }
}
