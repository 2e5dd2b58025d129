
#[cfg(test)]
mod tests {
    use super::*;

    /// Steps from the start, with a reset before step `RESET_AT`.
    #[test]
    fn the_test_vectors_come_out_to_the_last_bit() {
        let mut controller = Controller::new();
        for (step, (inputs, expected)) in INPUTS.iter().zip(OUTPUTS).enumerate() {
            if step == RESET_AT {
                controller.reset();
            }
            let outputs = controller.step(&inputs.map(@FROM@));
            assert_eq!(outputs.map(@TO@), expected, "step {step}");
        }
    }

