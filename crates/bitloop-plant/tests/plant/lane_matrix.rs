//! Rows of lanes.

use bitloop_plant::{LANE_UNIT, LaneMatrix};

#[test]
fn rows_are_whole_cache_lines() {
    let mut matrix = LaneMatrix::zeros(3, 16);
    assert_eq!((matrix.n_rows(), matrix.n_lanes(), matrix.as_slice().len()), (3, 16, 48));
    for row in 0..3 {
        assert!(matrix.row(row).as_ptr().addr().is_multiple_of(64));
        for (lane, value) in matrix.row_mut(row).iter_mut().enumerate() {
            *value = (100 * row + lane) as f64;
        }
    }
    assert_eq!(matrix.as_slice()[16 + 5], 105.0);
    matrix.copy_lane(7, 2);
    assert_eq!([0, 1, 2].map(|row| matrix.row(row)[2]), [7.0, 107.0, 207.0]);
    assert_eq!(matrix.row(1)[3], 103.0);
    let copy = matrix.clone();
    matrix.fill(0.5);
    assert!(matrix.as_slice().iter().all(|&x| x == 0.5));
    assert_eq!(copy.row(2)[15], 215.0);
    assert_eq!(format!("{:?}", LaneMatrix::zeros(1, 8)), format!("[{:?}]", [0.0; 8]));
}

#[test]
fn lanes_are_padded_to_whole_units() {
    for (n, padded) in [(0, 0), (1, 8), (8, 8), (9, 16), (50, 56)] {
        assert_eq!(LaneMatrix::padded(n), padded);
        assert!(padded.is_multiple_of(LANE_UNIT));
    }
}

#[test]
fn a_matrix_may_have_no_rows_or_no_lanes() {
    let mut no_rows = LaneMatrix::zeros(0, 8);
    no_rows.copy_lane(3, 5);
    no_rows.fill(1.0);
    assert!(no_rows.as_slice().is_empty());
    let no_lanes = LaneMatrix::zeros(4, 0);
    assert!(no_lanes.row(3).is_empty());
}

#[test]
#[should_panic(expected = "7 lanes: no multiple of 8")]
fn odd_numbers_of_lanes_are_reported() {
    let _ = LaneMatrix::zeros(1, 7);
}

#[test]
#[should_panic(expected = "out of range")]
fn rows_beyond_the_last_panic() {
    let _ = LaneMatrix::zeros(2, 8).row(2);
}
