//! Where settings stand in a scenario: `training.bits`, or `Scenario.training.TelescopicBlm.bits`.

/// Names from the outside in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Address(Vec<Step>);

#[derive(Clone, Debug, PartialEq)]
struct Step {
    name: &'static str,
    /// The name of a kind of file or of a choice, which a path of fields leaves out.
    is_choice: bool,
}

impl Address {
    /// Of a whole file.
    pub fn of_file(name: &'static str) -> Self {
        Self(vec![Step { name, is_choice: true }])
    }

    pub fn field(&self, name: &'static str) -> Self {
        self.then(Step { name, is_choice: false })
    }

    pub fn choice(&self, name: &'static str) -> Self {
        self.then(Step { name, is_choice: true })
    }

    fn then(&self, step: Step) -> Self {
        let mut steps = self.0.clone();
        steps.push(step);
        Self(steps)
    }

    /// Fields joined by dots, as messages and `--vary` name them, with choices in brackets.
    pub fn text(&self) -> String {
        let steps = self.0.iter().enumerate().map(|(index, step)| match step.is_choice {
            _ if index == 0 => step.name.to_owned(),
            true => format!("({})", step.name),
            false => format!(".{}", step.name),
        });
        steps.collect()
    }

    /// The path of the field in the file, without the names of choices.
    pub fn path(&self) -> String {
        let fields = self.0.iter().filter(|step| !step.is_choice).map(|step| step.name);
        fields.collect::<Vec<_>>().join(".")
    }

    /// Whether this is at `path` or below it; names of choices may be left out of `path`, and `*` or any other name of a
    /// map's entry stands for all of them.
    pub fn is_within(&self, path: &[&str]) -> bool {
        matches(&self.0, path)
    }
}

impl Address {
    /// Whether this is the very place that `path` names.
    pub fn is_right_at(&self, path: &[&str]) -> bool {
        let n_fields = self.0.iter().filter(|step| !step.is_choice).count();
        self.is_within(path) && n_fields <= path.len()
    }
}

fn matches(steps: &[Step], path: &[&str]) -> bool {
    let Some((first, rest)) = path.split_first() else { return true };
    let Some((step, steps)) = steps.split_first() else { return false };
    let is_same = step.name == *first || step.name == "*";
    (is_same && matches(steps, rest)) || (step.is_choice && matches(steps, path))
}
