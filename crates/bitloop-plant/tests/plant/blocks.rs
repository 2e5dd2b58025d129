//! How lanes are cut into blocks.

use std::ops::ControlFlow;

use bitloop_plant::{Isa, Kernel, LANE_STEP, LaneWork, Real, dispatch, for_each_block};

/// Notes the first lane and the size of each block, up to `stop_at`.
struct Note {
    lanes: std::ops::Range<usize>,
    stop_at: usize,
    blocks: Vec<(usize, usize)>,
}

impl LaneWork for Note {
    fn block<R: Real>(&mut self, first_lane: usize) -> ControlFlow<()> {
        self.blocks.push((first_lane, R::LANES));
        if (first_lane..first_lane + R::LANES).contains(&self.stop_at) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

impl Kernel for Note {
    type Output = (Vec<(usize, usize)>, bool);

    fn run<R: Real>(mut self) -> Self::Output {
        let lanes = self.lanes.clone();
        let flow = for_each_block::<R>(&mut self, lanes);
        (self.blocks, flow.is_break())
    }
}

fn blocks(isa: Isa, lanes: std::ops::Range<usize>, stop_at: usize) -> (Vec<(usize, usize)>, bool) {
    dispatch(isa, Note { lanes, stop_at, blocks: Vec::new() })
}

#[test]
fn every_lane_is_in_one_block() {
    for isa in Isa::available() {
        for start in (0..24).step_by(LANE_STEP) {
            for end in (start..80).step_by(LANE_STEP) {
                let (blocks, stopped) = blocks(isa, start..end, usize::MAX);
                let mut lane = start;
                for (first_lane, n_lanes) in blocks {
                    assert_eq!(first_lane, lane);
                    lane += n_lanes;
                }
                assert_eq!((lane, stopped), (end, false), "{start}..{end} on {}", isa.name());
            }
        }
    }
}

#[test]
fn the_last_half_vector_goes_with_the_last_pair() {
    let Ok(isa) = Isa::named("avx512") else { return };
    for (n_lanes, sizes) in [
        (4, &[4][..]),
        (8, &[8]),
        (12, &[12]),
        (16, &[16]),
        (20, &[20]),
        (24, &[16, 8]),
        (28, &[16, 12]),
        (36, &[16, 20]),
        (52, &[16, 16, 20]),
    ] {
        let found: Vec<usize> =
            blocks(isa, 0..n_lanes, usize::MAX).0.iter().map(|block| block.1).collect();
        assert_eq!(found, sizes);
    }
}

#[test]
fn a_break_leaves_out_the_rest() {
    for isa in Isa::available() {
        for stop_at in 0..52 {
            let (blocks, stopped) = blocks(isa, 0..52, stop_at);
            let (first_lane, n_lanes) = *blocks.last().unwrap();
            assert!((first_lane..first_lane + n_lanes).contains(&stop_at) && stopped);
        }
    }
}
