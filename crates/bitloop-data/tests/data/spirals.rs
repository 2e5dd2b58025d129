//! The two spirals from their formula.

use std::f64::consts::PI;

use bitloop_data::{
    ClassWeights, ColumnChoice, Columns, DataSource, DataSpec, Dataset, Limits, Missing, OwnFiles,
    RowOrder, Scaling, Spirals, Split, Targets,
};
use bitloop_plant::Real;

pub fn load(spirals: Spirals) -> Dataset {
    let n_rows = spirals.table().n_rows();
    let n_training = spirals.n_training();
    DataSpec {
        source: DataSource::Spirals(spirals),
        columns: Columns {
            inputs: None,
            ignored: vec![],
            nominal: vec![],
            targets: Targets::Classes(ColumnChoice::Name("class".to_owned())),
        },
        scaling: Scaling { inputs: None, targets: None, ..Scaling::default() },
        own_files: OwnFiles::default(),
        missing: Missing::Refuse,
        class_weights: ClassWeights::Equal,
        split: Split::of_rows(RowOrder::File, [n_training, n_rows - n_training, 0]),
        limits: Limits::default(),
    }
    .load()
    .expect("the spirals")
}

#[test]
fn the_paper_s_halves_have_193_points_each_and_share_none() {
    let data = load(Spirals::Halves193);
    let (training, test) = (&data.training, &data.validation);
    assert_eq!((training.n_samples, test.n_samples), (193, 193));
    let n_of_class_1 = |targets: &[Vec<f64>]| targets[0].iter().filter(|&&t| t == 1.0).count();
    assert_eq!(n_of_class_1(&training.targets), 97);
    assert_eq!(n_of_class_1(&test.targets), 96);
    for k in 0..test.n_samples {
        let point = [test.inputs[0][k], test.inputs[1][k]];
        let is_shared = (0..training.n_samples)
            .any(|j| point == [training.inputs[0][j], training.inputs[1][j]]);
        assert!(!is_shared, "{point:?}");
    }
}

#[test]
fn points_lie_on_the_spirals() {
    for (spirals, density) in [(Spirals::Cmu194, 1.0), (Spirals::Halves193, 2.0)] {
        let data = load(spirals);
        for examples in [&data.training, &data.validation] {
            for k in 0..examples.n_samples {
                let sign = 2.0 * examples.targets[0][k] - 1.0;
                let [x, y] = [sign * examples.inputs[0][k], sign * examples.inputs[1][k]];
                // From the radius follows the index, from that the angle.
                let index = 104.0 * density * (1.0 - (x * x + y * y).sqrt() / 6.5);
                assert!((index - index.round()).abs() < 1e-9, "{index}");
                let angle = index.round() * PI / (16.0 * density);
                let turns = (Real::atan2(y, x) - angle) / (2.0 * PI);
                assert!((turns - turns.round()).abs() < 1e-12, "{turns}");
            }
        }
    }
}

#[test]
fn the_cmu_set_is_every_other_point_of_the_dense_one() {
    let (coarse, dense) = (load(Spirals::Cmu194).training, load(Spirals::Halves193).training);
    assert_eq!(coarse.n_samples, 194);
    // All but the last point of class 0, which the paper has in its test part.
    for variable in 0..2 {
        assert_eq!(coarse.inputs[variable][..193], dense.inputs[variable][..]);
    }
}
