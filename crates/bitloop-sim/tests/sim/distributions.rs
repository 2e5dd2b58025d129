//! Drawn episodes: the same stream gives the same bits, and the numbers are distributed as asked.

use bitloop_plant::Isa;
use bitloop_sim::{Distribution, EpisodeRanges};

use crate::support::{draw, linear, pendulum, pendulum_ranges, words};

const N: usize = 100_000;

fn moments(distribution: Distribution) -> (Vec<f64>, f64, f64) {
    let mut words = words(99, 0);
    let draws: Vec<f64> = (0..N).map(|_| distribution.draw(&mut words)).collect();
    let mean = draws.iter().sum::<f64>() / N as f64;
    let variance = draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / N as f64;
    (draws, mean, variance)
}

#[test]
fn uniform_draws_fill_their_interval_evenly() {
    let (draws, mean, variance) = moments(Distribution::Uniform { low: -2.0, high: 4.0 });
    // Five standard errors of mean and variance: sqrt(3 / N) and sqrt(variance of (x - 1)^2 = 7.2 / N).
    assert!((mean - 1.0).abs() < 5.0 * (3.0 / N as f64).sqrt(), "{mean}");
    assert!((variance - 3.0).abs() < 5.0 * (7.2 / N as f64).sqrt(), "{variance}");
    assert!(draws.iter().all(|x| (-2.0..4.0).contains(x)));
    let mut counts = [0_i32; 10];
    for x in draws {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in 0..10")]
        let tenth = ((x + 2.0) / 0.6) as usize;
        counts[tenth] += 1;
    }
    // Five standard deviations of a binomial count: sqrt(N * 0.1 * 0.9) = 95.
    assert!(counts.iter().all(|count| (count - 10_000).abs() < 475), "{counts:?}");
}

#[test]
fn normal_draws_have_the_moments_and_tails_of_a_normal() {
    let (draws, mean, variance) =
        moments(Distribution::Normal { mean: 3.0, standard_deviation: 2.0 });
    assert!((mean - 3.0).abs() < 5.0 * 2.0 / (N as f64).sqrt(), "{mean}");
    assert!((variance - 4.0).abs() < 5.0 * 4.0 * (2.0 / N as f64).sqrt(), "{variance}");
    // P(|z| < 1, 2, 3) = 0.6827, 0.9545, 0.9973; five standard deviations of each count.
    for (limit, share) in [(1.0, 0.682_689_5), (2.0, 0.954_499_7), (3.0, 0.997_300_2)] {
        let n = draws.iter().filter(|x| ((*x - 3.0) / 2.0).abs() < limit).count() as f64;
        let tolerance = 5.0 * (N as f64 * share * (1.0 - share)).sqrt();
        assert!((n - N as f64 * share).abs() < tolerance, "{limit}: {n}");
    }
    let skewness =
        draws.iter().map(|x| ((x - mean) / 2.0) * ((x - mean) / 2.0) * ((x - mean) / 2.0));
    assert!((skewness.sum::<f64>() / N as f64).abs() < 5.0 * (6.0 / N as f64).sqrt() * 1.6);
}

#[test]
fn the_extremes_of_a_word_give_finite_draws() {
    let normal = Distribution::Normal { mean: 0.0, standard_deviation: 1.0 };
    let uniform = Distribution::Uniform { low: 0.0, high: 1.0 };
    for word in [0, u64::MAX] {
        assert!(normal.draw(|| word).abs() < 9.0);
        assert!((0.0..1.0).contains(&uniform.draw(|| word)));
    }
    assert_eq!(uniform.draw(|| 0), 0.0);
    assert_eq!(uniform.draw(|| u64::MAX), 1.0_f64.next_down());
}

#[test]
fn fixed_numbers_take_nothing_from_the_stream() {
    let never = || panic!("a fixed number needs no word");
    assert_eq!(Distribution::Fixed(0.1).draw(never), 0.1);
}

fn varied() -> EpisodeRanges {
    let mut ranges = pendulum_ranges(3.0);
    ranges.initial[3] = Distribution::Normal { mean: 0.0, standard_deviation: 0.1 };
    ranges.parameters[1] = Distribution::Uniform { low: 0.5, high: 1.5 };
    ranges
}

#[test]
fn a_set_is_a_function_of_its_streams_and_a_short_one_a_prefix_of_a_long_one() {
    let closed_loop = pendulum();
    let run = |n, seed| {
        let set = draw(&closed_loop, n, &varied(), seed);
        closed_loop.evaluate(Isa::best(), &linear(), &set, 1).unwrap().episodes
    };
    let fifty = run(50, 1);
    assert_eq!(run(50, 1), fifty);
    assert_eq!(run(10, 1), fifty[..10]);
    assert_ne!(run(10, 2), fifty[..10]);
}

#[test]
fn parameters_drawn_per_episode_matter() {
    let closed_loop = pendulum();
    let mut ranges = varied();
    ranges.initial = vec![Distribution::Fixed(0.1); 4];
    let set = draw(&closed_loop, 20, &ranges, 1);
    let episodes = closed_loop.evaluate(Isa::best(), &linear(), &set, 1).unwrap().episodes;
    for (index, episode) in episodes.iter().enumerate() {
        assert!(episodes[..index].iter().all(|other| other.error != episode.error));
    }
}

#[test]
fn tails_are_held_to_the_bounds_of_the_plant() {
    let closed_loop = pendulum();
    let mut ranges = pendulum_ranges(3.0);
    ranges.initial = vec![Distribution::Fixed(0.1); 4];
    // Half of the masses would be negative; they become 0, and those episodes are all alike.
    ranges.parameters[1] = Distribution::Normal { mean: 0.0, standard_deviation: 0.1 };
    let set = draw(&closed_loop, 200, &ranges, 1);
    let episodes = closed_loop.evaluate(Isa::best(), &linear(), &set, 1).unwrap().episodes;
    ranges.parameters[1] = Distribution::Fixed(0.0);
    let massless = draw(&closed_loop, 1, &ranges, 1);
    let massless = closed_loop.evaluate(Isa::best(), &linear(), &massless, 1).unwrap().episodes[0];
    let n = episodes.iter().filter(|&&episode| episode == massless).count();
    // Five standard deviations of a fair coin thrown 200 times.
    assert!((65..=135).contains(&n), "{n}");
}

#[test]
fn only_normal_draws_are_cut_off_by_bounds() {
    let normal = Distribution::Normal { mean: 1.0, standard_deviation: 0.5 };
    assert!(normal.is_cut_off_by(0.0, 3.0) && normal.is_cut_off_by(-1.0, 2.0));
    assert!(!normal.is_cut_off_by(-0.5, 2.5));
    assert!(!Distribution::Uniform { low: 0.0, high: 2.0 }.is_cut_off_by(0.0, 2.0));
}
