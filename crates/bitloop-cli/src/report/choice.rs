//! Which episodes are shown.

use bitloop_sim::EpisodeResult;

/// An episode that is shown, by its position among those that were run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Its position.
    pub position: usize,
    /// Why it is shown, if that is worth a word.
    pub which: &'static str,
}

/// Of at most so many episodes: the worst first, then others from bad to good, with the median and the best among them.
pub fn choose(results: &[EpisodeResult], most: usize) -> Vec<Chosen> {
    let mut order: Vec<usize> = (0..results.len()).collect();
    // What is no number is worst; of equal errors, the first.
    order.sort_by(|&a, &b| rank(&results[b]).total_cmp(&rank(&results[a])));
    let n = order.len();
    let Some(last) = n.checked_sub(1) else { return Vec::new() };
    let wanted = [(0, "the worst"), (last, "the best"), (n / 2, "the median")];
    let others = [1, n / 4, 3 * n / 4, 2, n / 8].map(|place| (place, ""));
    let mut places: Vec<(usize, &'static str)> = Vec::new();
    for (place, which) in wanted.into_iter().chain(others) {
        if place < n && places.len() < most && places.iter().all(|other| other.0 != place) {
            places.push((place, if n == 1 { "" } else { which }));
        }
    }
    places.sort_unstable();
    places.into_iter().map(|(place, which)| Chosen { position: order[place], which }).collect()
}

fn rank(result: &EpisodeResult) -> f64 {
    if result.error.is_nan() { f64::INFINITY } else { result.error }
}

#[cfg(test)]
mod tests {
    use bitloop_sim::EpisodeEnd;

    use super::*;

    fn chosen(errors: &[f64], most: usize) -> Vec<(usize, &'static str)> {
        let result = |&error| EpisodeResult { error, end: EpisodeEnd::Horizon };
        let results: Vec<EpisodeResult> = errors.iter().map(result).collect();
        choose(&results, most).iter().map(|chosen| (chosen.position, chosen.which)).collect()
    }

    #[test]
    fn the_worst_comes_first_and_none_twice() {
        assert_eq!(chosen(&[], 8), []);
        assert_eq!(chosen(&[1.0], 8), [(0, "")]);
        assert_eq!(chosen(&[1.0, 3.0], 8), [(1, "the worst"), (0, "the best")]);
        assert_eq!(chosen(&[2.0, f64::NAN, 1.0], 1), [(1, "the worst")]);
        let three = chosen(&[2.0, 9.0, 1.0, 4.0, 3.0], 3);
        assert_eq!(three, [(1, "the worst"), (4, "the median"), (2, "the best")]);
        let errors: Vec<f64> = (0..1000).map(f64::from).collect();
        let all = chosen(&errors, 8);
        assert_eq!((all.len(), all[0], all[7]), (8, (999, "the worst"), (0, "the best")));
        assert!(all.windows(2).all(|pair| pair[0].0 > pair[1].0));
    }
}
