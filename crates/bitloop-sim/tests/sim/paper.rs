//! The loop against a simulation written straight from the paper's equations, with the system's sine and cosine.

use bitloop_plant::Isa;
use bitloop_sim::{End, Query, Recorder};

use crate::support::{GAINS, column, draw, linear, pendulum, pendulum_ranges, record};

/// States at each query and at the end, episode by episode.
struct States(Vec<Vec<[f64; 4]>>);

impl Recorder for States {
    fn query(&mut self, query: &Query<'_>) {
        for (lane, &episode) in query.episodes.iter().enumerate() {
            self.0[episode].push(column(query.state, lane).try_into().unwrap());
        }
    }
    fn end(&mut self, episode: usize, end: &End<'_>) {
        self.0[episode].push(end.state.try_into().unwrap());
    }
}

/// The paper's two equations, term by term.
#[expect(clippy::disallowed_methods, reason = "independent of our own functions on purpose")]
fn accelerations(theta: f64, theta_dot: f64, force: f64) -> (f64, f64) {
    let (cart_mass, m, l, g) = (1.0, 1.0, 1.0, 9.81);
    let (sin, cos) = (theta.sin(), theta.cos());
    let x_ddot =
        (force - m * sin * (l * theta_dot * theta_dot - g * cos)) / (cart_mass + m * sin * sin);
    (x_ddot, (x_ddot * cos + g * sin) / l)
}

#[test]
fn an_independent_simulation_agrees_over_5_s() {
    let closed_loop = pendulum();
    let set = draw(&closed_loop, 50, &pendulum_ranges(5.0), 1);
    let mut states = States(vec![Vec::new(); 50]);
    let evaluation = record(&closed_loop, Isa::best(), &linear(), &set, &mut states);
    assert_eq!(evaluation.n_failed(), 0);

    let mut mean_error = 0.0;
    for (states, result) in states.0.iter().zip(&evaluation.episodes) {
        let [mut x, mut theta, mut x_dot, mut theta_dot] = states[0];
        assert!(theta.abs() <= 0.4 && [x, x_dot, theta_dot] == [0.0; 3]);
        let (mut force, mut sum) = (0.0, 0.0);
        for step in 0..=500 {
            if step % 10 == 0 {
                let expected = [x, theta, x_dot, theta_dot];
                for (found, expected) in states[step / 10].iter().zip(expected) {
                    assert!((found - expected).abs() < 1e-9, "step {step}: {found} {expected}");
                }
                let [k1, k2, k3, k4] = GAINS;
                force = -(k1 * x + k2 * theta + k3 * x_dot + k4 * theta_dot);
            }
            if step == 500 {
                break;
            }
            let (x_ddot, theta_ddot) = accelerations(theta, theta_dot, force);
            x += 0.01 * x_dot;
            theta += 0.01 * theta_dot;
            x_dot += 0.01 * x_ddot;
            theta_dot += 0.01 * theta_ddot;
            // Samples after the transient of 1 s: 400 of them.
            if step >= 100 {
                sum += theta * theta + 0.01 * x * x;
            }
        }
        let error = sum / 400.0;
        assert!((result.error - error).abs() < 1e-9, "{} {error}", result.error);
        mean_error += error / 50.0;
    }
    assert!((evaluation.error - mean_error).abs() < 1e-9);
    assert!(mean_error > 1e-4, "an error that is nearly 0 would prove nothing: {mean_error}");
}
