//! The rules of a supervised scenario that can be checked without its data.

use bitloop_data::{ClassWeights, ColumnChoice, PartSize, Targets, Threshold};
use bitloop_net::{Activation, Feedback, LayerScaling, Loss};
use bitloop_text::{Checked, Problem};

use crate::{
    check::{check_above_zero, check_at_least_zero, check_stop},
    controller_check::check_hidden,
    supervised::{
        DataFile, DataSource, ExtremeLearning, LayerScales, OutputScale, Regularization, RowOrder,
        SelectBy, Supervised, SupervisedTraining,
    },
    training_check::{check_cma_es, check_random, check_telescopic, check_validate_every},
};

/// Longest path or name of a column, in bytes.
const LONGEST_TEXT: usize = 4096;
/// Most columns in a list.
const MOST_COLUMNS: usize = 10_000;
/// Most units of an extreme learning machine.
const MOST_RANDOM_UNITS: u32 = 1 << 14;
/// Most folds.
const MOST_FOLDS: u32 = 10_000;
/// What shares may sum to: 1, and the rounding of three numbers.
const MOST_SHARES: f64 = 1.0 + 1e-9;
/// Most regularization constants to be tried.
const MOST_RIDGES: usize = 100;

impl Supervised {
    /// Checks all rules that need no data. What is read from a file is checked already.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn check(&self) -> Checked {
        if let DataSource::File(file) = &self.data {
            check_file(file)?;
        }
        let scaling = [("inputs", self.scaling.inputs), ("targets", self.scaling.targets)];
        for (name, range) in scaling {
            if let Some([low, high]) = range
                && !(low < high && (high - low).is_finite())
            {
                let message = format!("a range must go up, found ({low}, {high})");
                let hint = "for instance (-1, 1); None leaves numbers as they are";
                return Err(Problem::new(&format!("scaling.{name}"), message, hint));
            }
        }
        self.start.check(false)?;
        self.check_split()?;
        let network = &self.network;
        check_hidden("network", &network.hidden, &network.hidden_activation, 1, Feedback::None)?;
        self.check_output()?;
        self.check_scales()?;
        self.check_selection()?;
        self.check_classes()?;
        self.check_regularization()?;
        self.check_training()?;
        check_stop(&self.stop)
    }

    fn check_split(&self) -> Checked {
        let own_files = match &self.data {
            DataSource::File(file) => [file.validation.is_some(), file.test.is_some()],
            DataSource::Spirals(_) => [false, false],
        };
        let Some(split) = &self.split else {
            if own_files.contains(&true) {
                return Ok(());
            }
            let hint = "add for instance `split: (training: 0.6, validation: 0.15, test: 0.25)`";
            return Err(Problem::new("", "this scenario does not say how rows are split", hint));
        };
        if split.training.is_zero() {
            let hint = "say how many rows to train on";
            return Err(Problem::new("split.training", "no row is for training", hint));
        }
        let sizes = [
            ("split.training", split.training, false),
            ("split.validation", split.validation, own_files[0]),
            ("split.test", split.test, own_files[1]),
        ];
        let mut sum = 0.0;
        for (path, size, has_own_file) in sizes {
            if has_own_file && !size.is_zero() {
                let message = "these rows have a file of their own";
                return Err(Problem::new(path, message, "leave them out of `split`"));
            }
            let PartSize::Share(share) = size else { continue };
            if !(0.0..=1.0).contains(&share) {
                let message = format!("a share must be from 0 to 1, found {share}");
                return Err(Problem::new(path, message, "a number of rows has no decimal point"));
            }
            sum += share;
        }
        if sum > MOST_SHARES {
            let message = format!("the shares sum to {sum}, more than 1");
            return Err(Problem::new("split", message, "choose smaller shares"));
        }
        if split.order == RowOrder::File && split.seed.is_some() {
            let message = "the order is that of the file, which no seed draws";
            return Err(Problem::new("split.seed", message, "leave it out, or `order: File`"));
        }
        if split.stratified && !self.data.has_classes() {
            let message = "rows can be stratified by classes, but the targets are numbers";
            return Err(Problem::new("split.stratified", message, "leave it out"));
        }
        match (&split.grouped_by, &self.data) {
            (None, _) => {}
            (Some(column), DataSource::File(file)) => {
                check_column("split.grouped_by", column, file.header)?;
                if file.targets == (Targets::Classes(column.clone())) {
                    let message = "rows are grouped by their class, which a part would have or not";
                    return Err(Problem::new("split.grouped_by", message, "name another column"));
                }
            }
            (Some(_), DataSource::Spirals(_)) => {
                let message = "the points of the spirals have no groups";
                return Err(Problem::new("split.grouped_by", message, "leave it out"));
            }
        }
        self.check_fold(own_files[1])
    }

    fn check_fold(&self, has_test_file: bool) -> Checked {
        let Some(fold) = self.split.as_ref().and_then(|split| split.fold) else { return Ok(()) };
        if has_test_file {
            let message = "the test rows have a file of their own, and are no fold";
            return Err(Problem::new("split.fold", message, "leave out the fold, or `data.test`"));
        }
        if !(2..=MOST_FOLDS).contains(&fold.of) {
            let message = format!("expected from 2 to {MOST_FOLDS} folds, found {}", fold.of);
            return Err(Problem::new("split.fold.of", message, "5 and 10 are usual"));
        }
        if fold.index >= fold.of {
            let message =
                format!("of {} folds the last is {}, found {}", fold.of, fold.of - 1, fold.index);
            return Err(Problem::new("split.fold.index", message, "folds are counted from 0"));
        }
        Ok(())
    }

    fn check_selection(&self) -> Checked {
        if self.select_by == SelectBy::Accuracy && !self.data.has_classes() {
            let message = "Accuracy selects by right classes, but the targets are numbers";
            return Err(Problem::new("select_by", message, "leave it out, or write Rmse"));
        }
        if self.select_by == SelectBy::Rmse && self.loss == Loss::SoftmaxCrossEntropy {
            let message = "SoftmaxCrossEntropy has outputs before the softmax, which have no RMSE";
            return Err(Problem::new("select_by", message, "write Loss or Accuracy"));
        }
        Ok(())
    }

    /// Checks what classes alone have.
    fn check_classes(&self) -> Checked {
        let no_classes = |path| {
            let message = "the targets are numbers, not classes";
            Err(Problem::new(path, message, "leave it out, or write `targets: Classes(...)`"))
        };
        if !self.class_weights.are_equal() && !self.data.has_classes() {
            return no_classes("class_weights");
        }
        if !self.threshold.is_half() && !self.data.has_classes() {
            return no_classes("threshold");
        }
        if let ClassWeights::ByClass(weights) = &self.class_weights {
            for (name, &weight) in weights {
                let path = format!("class_weights.{name}");
                check_above_zero(&path, weight, "the weight of a class", "")?;
            }
        }
        if !self.class_weights.are_equal()
            && matches!(self.training, SupervisedTraining::ExtremeLearning(_))
        {
            let message = "ExtremeLearning solves for all rows alike";
            return Err(Problem::new("class_weights", message, "leave it out"));
        }
        match self.threshold {
            Threshold::At(at) if !(at > 0.0 && at < 1.0) => {
                let message = format!("a threshold must be above 0 and below 1, found {at}");
                Err(Problem::new("threshold", message, "0.5 is usual"))
            }
            _ => Ok(()),
        }
    }

    fn check_output(&self) -> Checked {
        let output = self.network.output_activation;
        let needed = match (self.loss, &self.training) {
            (_, SupervisedTraining::ExtremeLearning(_)) => ("ExtremeLearning", Activation::Linear),
            (Loss::SoftmaxCrossEntropy, _) => ("SoftmaxCrossEntropy", Activation::Linear),
            (Loss::LogisticCrossEntropy, _) => ("LogisticCrossEntropy", Activation::Logistic),
            (Loss::SquaredError, _) => return Ok(()),
        };
        if output.is_some_and(|output| output != needed.1) {
            let message = format!("{} needs {:?} outputs", needed.0, needed.1);
            let hint = "leave output_activation out, and it will fit";
            return Err(Problem::new("network.output_activation", message, hint));
        }
        Ok(())
    }

    fn check_scales(&self) -> Checked {
        let network = &self.network;
        let has_scales = !LayerScales::are_same(&network.layer_scales);
        let is_scaled = has_scales || !OutputScale::is_fixed(&network.output_scale);
        if is_scaled && !matches!(self.training, SupervisedTraining::TelescopicBlm(_)) {
            let path = if has_scales { "network.layer_scales" } else { "network.output_scale" };
            let message = format!("{} has no scales beside its weights", self.training.name());
            return Err(Problem::new(path, message, "leave it out"));
        }
        if let Some(LayerScales::PowersOfTwo(exponents)) = &network.layer_scales {
            let n_layers = self.network.hidden.len() + 1;
            if exponents.len() != n_layers {
                let message = format!("{} exponents for {n_layers} layers", exponents.len());
                let hint = "give one for each hidden layer, and one for the output layer";
                return Err(Problem::new("network.layer_scales", message, hint));
            }
            let most = LayerScaling::MOST;
            if let Some(index) = exponents.iter().position(|it| !(-most..=most).contains(it)) {
                let path = format!("network.layer_scales.{index}");
                let message = format!(
                    "an exponent must be from -{most} to {most}, found {}",
                    exponents[index]
                );
                return Err(Problem::new(&path, message, "-2 divides the sums of a layer by 4"));
            }
        }
        let is_linear = network.output_activation == Some(Activation::Linear);
        if network.output_scale == Some(OutputScale::Fitted)
            && !(is_linear && self.loss == Loss::SquaredError && !self.data.has_classes())
        {
            let message =
                "Fitted needs targets that are numbers, Linear outputs and the loss SquaredError";
            return Err(Problem::new("network.output_scale", message, "leave it out"));
        }
        Ok(())
    }

    fn check_regularization(&self) -> Checked {
        match (self.regularization, &self.training) {
            (Regularization::Weight(weight), _) => {
                check_at_least_zero("regularization", weight, "a regularization")
            }
            (
                Regularization::Auto,
                SupervisedTraining::TelescopicBlm(_)
                | SupervisedTraining::OneStepSecant(_)
                | SupervisedTraining::Backpropagation(_),
            ) => Ok(()),
            (Regularization::Auto, training) => {
                let message =
                    format!("{} has the same regularization in all runs", training.name());
                let hint = "give a number; extreme learning has its own `ridges`";
                Err(Problem::new("regularization", message, hint))
            }
        }
    }

    fn check_training(&self) -> Checked {
        let initial = |range| {
            check_above_zero("training.initial_range", range, "the range of initial weights", "")
        };
        match &self.training {
            SupervisedTraining::TelescopicBlm(blm) => check_telescopic(blm),
            SupervisedTraining::CmaEs(cma_es) => check_cma_es(cma_es),
            SupervisedTraining::RandomSearch(random) => check_random(random),
            SupervisedTraining::OneStepSecant(oss) => {
                initial(oss.initial_range)?;
                check_validate_every(oss.validate_every, "10 steps are usual")
            }
            SupervisedTraining::Backpropagation(descent) => {
                let rate = descent.learning_rate;
                check_above_zero("training.learning_rate", rate, "the learning rate", "")?;
                if !(0.0..1.0).contains(&descent.momentum) {
                    let message = format!(
                        "the momentum must be from 0 to below 1, found {}",
                        descent.momentum
                    );
                    return Err(Problem::new("training.momentum", message, "0.9 is usual"));
                }
                initial(descent.initial_range)?;
                check_validate_every(descent.validate_every, "10 steps are usual")
            }
            SupervisedTraining::ExtremeLearning(elm) => self.check_extreme_learning(elm),
        }
    }

    fn check_extreme_learning(&self, elm: &ExtremeLearning) -> Checked {
        let path = if elm.units.is_some() { "training.units" } else { "network.hidden" };
        match self.hidden() {
            [units] if (1..=MOST_RANDOM_UNITS).contains(units) => {}
            found => {
                let message = format!(
                    "an extreme learning machine has one hidden layer of 1 to {MOST_RANDOM_UNITS} units, found {found:?}"
                );
                return Err(Problem::new(
                    path,
                    message,
                    "for instance training: ExtremeLearning(units: 1000)",
                ));
            }
        }
        check_above_zero(
            "training.hidden_range",
            elm.hidden_range,
            "the range of hidden weights",
            "",
        )?;
        let n_ridges = elm.ridges.len();
        if !(1..=MOST_RIDGES).contains(&n_ridges) {
            let message =
                format!("from 1 to {MOST_RIDGES} constants can be tried, found {n_ridges}");
            return Err(Problem::new("training.ridges", message, "for instance [0.1, 1, 10]"));
        }
        for (index, &ridge) in elm.ridges.iter().enumerate() {
            let path = format!("training.ridges.{index}");
            check_above_zero(&path, ridge, "a regularization constant", "")?;
        }
        let has_own_rows =
            matches!(&self.data, DataSource::File(file) if file.validation.is_some());
        let has_validation =
            self.split.as_ref().is_some_and(|split| !split.validation.is_zero()) || has_own_rows;
        if n_ridges > 1 && !has_validation {
            let hint = "give one constant, or add validation rows to the split";
            let message = "nothing chooses among several constants without validation rows";
            return Err(Problem::new("training.ridges", message, hint));
        }
        Ok(())
    }
}

fn check_file(file: &DataFile) -> Checked {
    let paths: Vec<_> = file.paths().collect();
    for (at, &(field, path)) in paths.iter().enumerate() {
        if let Some(message) = text_fault(path) {
            return Err(Problem::new(field, format!("the path {message}"), "name a file of rows"));
        }
        if let Some((other, _)) = paths[..at].iter().find(|(_, other)| *other == path) {
            let message = format!("`{other}` names this file, too: its rows would be in two parts");
            return Err(Problem::new(field, message, "name another file"));
        }
    }
    let targets = match &file.targets {
        Targets::Numbers(columns) if columns.is_empty() => {
            let hint = "name one column at least, for instance Numbers([9])";
            return Err(Problem::new("data.targets", "the network has nothing to answer", hint));
        }
        Targets::Numbers(columns) => columns.as_slice(),
        Targets::Classes(column) => std::slice::from_ref(column),
    };
    let lists = [
        ("inputs", file.inputs.as_deref().unwrap_or_default()),
        ("ignored", &file.ignored),
        ("nominal", &file.nominal),
        ("targets", targets),
    ];
    for (name, columns) in lists {
        let path = format!("data.{name}");
        if columns.len() > MOST_COLUMNS {
            let message = format!("more than {MOST_COLUMNS} columns");
            return Err(Problem::new(&path, message, "name fewer columns"));
        }
        for column in columns {
            check_column(&path, column, file.header)?;
        }
    }
    Ok(())
}

fn check_column(path: &str, column: &ColumnChoice, has_header: bool) -> Checked {
    let (message, hint) = match column {
        ColumnChoice::Number(0) => {
            ("there is no column 0".to_owned(), "columns are counted from 1")
        }
        ColumnChoice::Number(_) => return Ok(()),
        ColumnChoice::Name(name) if !has_header => (
            format!("the column `{name}` has no name in a file without a header"),
            "choose it by its number, from 1",
        ),
        ColumnChoice::Name(name) => match text_fault(name) {
            Some(fault) => (format!("a column's name {fault}"), "see the first line of the data"),
            None => return Ok(()),
        },
    };
    Err(Problem::new(path, message, hint))
}

fn text_fault(text: &str) -> Option<&'static str> {
    if text.is_empty() {
        Some("is empty")
    } else if text.len() > LONGEST_TEXT {
        Some("is longer than 4096 bytes")
    } else if text.chars().any(char::is_control) {
        Some("holds control characters")
    } else {
        None
    }
}
