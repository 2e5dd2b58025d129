//! A run under a bound: when it is given up, and how episodes are handed over to other threads and taken back.

use std::sync::Arc;

use bitloop_plant::LANE_UNIT;

use crate::controller::Controller;
use crate::error::SimError;
use crate::outcome::mean_error;
use crate::run::Run;
use crate::sharing::{
    Holding, Interest, MIN_EPISODES, MIN_PERIODS, Share, ShareOutcome, Shares, wait,
};
use crate::workspace::Workspace;

/// Control periods between two looks at the bound.
const PERIODS_PER_SLICE: u64 = 4;

impl<C: Controller + ?Sized> Run<'_, C> {
    /// Like [`finish_all`](Self::finish_all) for the whole set, given up with `false` once the partial error reaches
    /// `bound`, something faults, or it is canceled. Episodes may be handed over to others on the way.
    pub(crate) fn below(&mut self, bound: f64, interest: &impl Interest) -> bool {
        self.load(0..self.set.n_episodes);
        let n_faults = self.work.n_faults;
        let mut shares = Shares::default();
        let look = &mut |run: &mut Self, shares: &mut Shares, tick| {
            let goes_on = run.is_still_below(bound, interest, shares, n_faults);
            if goes_on && interest.wants_share() {
                run.hand_over(tick, interest, shares);
            }
            goes_on
        };
        let mut ended = self.pursue(0, |run, tick| look(run, &mut shares, tick));
        while let (Ok(true), Some(share)) = (&ended, shares.last().map(Arc::clone)) {
            if let Some(load) = share.take() {
                shares.pop();
                let tick = self.work.take_on(&load);
                ended = self.pursue(tick, |run, tick| look(run, &mut shares, tick));
                continue;
            }
            let mut n_looks = 0;
            while !share.is_over() {
                wait(n_looks);
                n_looks = n_looks.saturating_add(1);
                if !self.is_still_below(bound, interest, &shares, n_faults) {
                    return false;
                }
            }
            shares.pop();
            ended = Ok(share.outcome().is_some_and(|outcome| self.take_back(outcome)));
        }
        match ended {
            Ok(true) => {
                self.count_infinite(mean_error(&self.work.results), n_faults);
                true
            }
            Ok(false) => false,
            Err(_) => {
                self.work.n_faults += 1;
                false
            }
        }
    }

    /// Finishes the episodes of a share, unless the rollout is given up.
    pub(crate) fn assist(&mut self, share: &Share) {
        let Some(load) = share.take() else { return };
        let holding = Holding(share);
        let n_faults = self.work.n_faults;
        self.work.expect_results(self.set.n_episodes);
        let tick = self.work.take_on(&load);
        let before = self.partial_error();
        let ended = self.pursue(tick, |run, _| {
            share.publish(run.partial_error() - before);
            !share.is_dropped()
        });
        let n_faults = std::mem::replace(&mut self.work.n_faults, n_faults) - n_faults;
        let results = match ended {
            Ok(true) => load.episodes.iter().map(|&e| (e, self.work.results[e])).collect(),
            Ok(false) => return,
            Err(_) => {
                // No bound is above that, so that the rollout ends at once.
                share.publish(f64::INFINITY);
                Vec::new()
            }
        };
        holding.settle(ShareOutcome { is_broken: ended.is_err(), results, n_faults });
    }

    /// The live episodes from `tick` on, each to its horizon or its end, as long as `look` says so, which is asked now and
    /// then and told the tick.
    fn pursue(
        &mut self,
        mut tick: u64,
        mut look: impl FnMut(&mut Self, u64) -> bool,
    ) -> Result<bool, SimError> {
        let mut periods = 0;
        while tick < self.set.horizon && !self.work.lane_episode.is_empty() {
            tick = self.period(0, tick, &mut None)?;
            periods += 1;
            if periods % PERIODS_PER_SLICE == 0 && !look(self, tick) {
                return Ok(false);
            }
        }
        self.finish(0, &mut None)?;
        Ok(true)
    }

    /// Whether someone wants to know more, and the partial error has not reached the bound.
    fn is_still_below(
        &mut self,
        bound: f64,
        interest: &impl Interest,
        shares: &Shares,
        n_faults_before: u64,
    ) -> bool {
        if interest.is_canceled() {
            return false;
        }
        let error = shares.partial_error(self.partial_error());
        let is_beyond = error >= interest.bound(bound);
        if is_beyond {
            self.count_infinite(error, n_faults_before);
        }
        !is_beyond
    }

    /// Offers half of the live episodes, if they are worth it.
    #[cold]
    fn hand_over(&mut self, tick: u64, interest: &impl Interest, shares: &mut Shares) {
        let n_live = self.work.lane_episode.len();
        let n_periods =
            (self.set.horizon - tick) / u64::from(self.closed_loop.timing().steps_per_period());
        if n_live >= MIN_EPISODES && n_periods >= MIN_PERIODS {
            // Whole cache lines stay, so that there is no padding to fill.
            let n_kept = (n_live / 2).next_multiple_of(LANE_UNIT);
            let share = Arc::new(Share::new(self.work.split_off(n_kept, tick)));
            shares.push(Arc::clone(&share));
            interest.offer(share);
        }
    }

    /// Adds what came of a share; false if the plant broke in it.
    fn take_back(&mut self, outcome: ShareOutcome) -> bool {
        self.work.n_faults += outcome.n_faults + u64::from(outcome.is_broken);
        for (position, result) in outcome.results {
            self.work.results[position] = result;
        }
        !outcome.is_broken
    }

    /// An infinite error is a fault, unless the rollout has counted one that explains it.
    fn count_infinite(&mut self, error: f64, n_faults_before: u64) {
        if error == f64::INFINITY {
            self.work.n_faults = self.work.n_faults.max(n_faults_before + 1);
        }
    }

    /// Err with unfinished episodes at their partial sums: never above the final one.
    fn partial_error(&mut self) -> f64 {
        let n_counted = self.n_counted();
        let Workspace { lanes, lane_episode, results, .. } = &mut *self.work;
        for (&position, cost) in lane_episode.iter().zip(lanes.cost.row(0)) {
            results[position].error = cost / n_counted;
        }
        mean_error(results)
    }
}
