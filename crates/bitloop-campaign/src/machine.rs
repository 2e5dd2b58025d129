//! [`machine_bits`]: what of a machine decides on the bits of a training.

use bitloop_scenario::{AnyScenario, Start, SupervisedTraining, Training};

/// Arguments of the elementary functions whose results are compared.
const N_PROBES: u32 = 256;

/// What of this machine decides on the bits of a scenario's trainings. Trainings of machines where it differs cannot be
/// parts of one campaign.
///
/// For most it is the architecture alone. The linear algebra of CMA-ES, gradients, extreme learning and the regulator that a training
/// may start from picks instructions by the processor, and calls elementary functions of the system's library; so may a plant
/// that declares it, `has_machine_bits`.
#[must_use]
pub fn machine_bits(scenario: &AnyScenario, has_machine_bits: bool) -> String {
    bits_of_machine(!has_machine_bits && is_same_on_all(scenario))
}

/// The same for work of which it is known whether its bits are the same on all processors of an architecture.
#[must_use]
pub fn bits_of_machine(is_same_on_all: bool) -> String {
    let architecture = std::env::consts::ARCH;
    if is_same_on_all {
        return architecture.to_owned();
    }
    let features = instructions().join(" ");
    format!("{architecture}, {features}, elementary functions {:.16}", functions_digest())
}

/// Whether a scenario's trainings have the same bits on all processors of an architecture.
fn is_same_on_all(scenario: &AnyScenario) -> bool {
    match scenario {
        AnyScenario::ClosedLoop(file) => {
            !matches!(file.value.training, Some(Training::CmaEs(_)))
                && file.value.start != Start::FromLqr
        }
        AnyScenario::Supervised(file) => matches!(
            file.value.training,
            SupervisedTraining::TelescopicBlm(_) | SupervisedTraining::RandomSearch(_)
        ),
    }
}

/// The instructions that libraries of linear algebra choose between.
#[cfg(target_arch = "x86_64")]
fn instructions() -> Vec<&'static str> {
    let found = [
        ("avx512f", std::is_x86_feature_detected!("avx512f")),
        ("fma", std::is_x86_feature_detected!("fma")),
        ("avx2", std::is_x86_feature_detected!("avx2")),
        ("avx", std::is_x86_feature_detected!("avx")),
        ("sse2", std::is_x86_feature_detected!("sse2")),
    ];
    found.into_iter().filter(|(_, is_there)| *is_there).map(|(name, _)| name).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn instructions() -> Vec<&'static str> {
    Vec::new()
}

/// A digest of what the system's elementary functions give.
#[expect(clippy::disallowed_methods, reason = "whether they differ is the question")]
fn functions_digest() -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    for probe in 1..=N_PROBES {
        let x = f64::from(probe) / 37.0;
        for value in [x.sin(), x.cos(), x.exp(), x.ln(), x.tanh(), x.powf(1.7), x.cbrt()] {
            hasher.update(&value.to_bits().to_le_bytes());
        }
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_counts_where_it_decides_on_bits() {
        let bits_of_plant = |training: &str, more: &str, has_machine_bits: bool| {
            let text = format!(
                "Scenario(plant: \"inverted-pendulum\", controller: Linear, {more} \
                 episodes: (training: (horizon_s: 10)), training: {training})"
            );
            machine_bits(&AnyScenario::parse(&text, "a.ron").unwrap(), has_machine_bits)
        };
        let bits_of = |training: &str, more: &str| bits_of_plant(training, more, false);
        let blm = bits_of("TelescopicBlm(bits: 16)", "");
        assert_eq!(blm, std::env::consts::ARCH);
        let from_lqr = bits_of("TelescopicBlm(bits: 16)", "start: FromLqr,");
        assert!(from_lqr.starts_with(&blm) && from_lqr.contains("functions"), "{from_lqr}");
        assert_eq!(from_lqr, bits_of("CmaEs()", ""));
        assert_eq!(from_lqr, bits_of_plant("TelescopicBlm(bits: 16)", "", true));
    }
}
