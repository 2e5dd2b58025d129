//! Maps over starts.

use bitloop_robust::{Axis, CellEnd, Map, Running};

use crate::support::{running, tested};

#[test]
fn a_map_that_is_continued_is_the_same_and_another_map_is_not_continued() {
    let tested = tested(2.0);
    let axis = |text, n| Axis::parse(text, n, &tested).unwrap();
    let new = |n| Map::new(axis("theta=-1:1", 70), axis("theta_dot=-2:2", n)).unwrap();
    let mut whole = new(70);
    assert!(whole.advance(&tested, running(1)).unwrap());
    let kept = whole.to_bytes(&tested, "a");
    while whole.advance(&tested, running(1)).unwrap() {}
    assert!(whole.is_whole());
    let mut continued = new(70).resume(&kept, &tested, "a").unwrap();
    assert!(!continued.is_whole() && !continued.cells.is_empty());
    // What is called off changes nothing.
    let before = continued.cells.len();
    let called_off = Running { stop: &|| true, ..running(1) };
    assert!(continued.advance(&tested, called_off).unwrap());
    assert_eq!(continued.cells.len(), before);
    while continued.advance(&tested, running(2)).unwrap() {}
    assert_eq!(continued.to_bytes(&tested, "a"), whole.to_bytes(&tested, "a"));
    for (map, controller) in [(new(69), "a"), (new(70), "b")] {
        let error = map.resume(&kept, &tested, controller).unwrap_err().to_string();
        assert!(error.contains("another map"), "{error}");
    }
    // Starts far from upright fall; those close to it do not.
    assert_eq!(whole.cells[0].end, CellEnd::Failed);
    assert_eq!(whole.cells[35 * 70 + 35].end, CellEnd::Horizon);
}
