//! Pictures: what is refused, where shapes are, and how they cross the boundary of a library.

#![allow(unsafe_code, reason = "a descriptor is opened as a host opens that of a library")]

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use bitloop_plant::abi::{
    Descriptor, PICTURE_PART, PicturePart, RawFrame, RawNumber, RawPicture, RawShape, RawTerm,
    descriptor_of,
};
use bitloop_plant::picture::{
    Affine, Picture, Role, Shape, ShapeKind, Values, control, observation, parameter, state,
};
use bitloop_plant::{Description, Plant, PlantHandle, Real, Scalar, ScalarPlant, Sizes};

use crate::tank::description;

/// Tanks, two by default, which have a picture; without it, if there are three, and one that panics, if there are four.
struct Drawn(usize);

impl Default for Drawn {
    fn default() -> Self {
        Self(2)
    }
}

impl Plant for Drawn {
    fn with_structure(structure: &[u64]) -> Self {
        Self(usize::try_from(structure[0]).unwrap())
    }
    fn description(&self) -> Description {
        description(self.0)
    }
    fn sizes(&self) -> Sizes {
        description(self.0).sizes()
    }
    fn picture(&self) -> Option<Picture> {
        assert!(self.0 != 4, "no paint");
        (self.0 != 3).then(picture)
    }
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], _u: &[R], _p: &[R]) -> R {
        x[0]
    }
}

/// One of everything.
fn picture() -> Picture {
    let mut picture = Picture::new(-2.0, 2.0, -1.0, 3.0);
    let arm = picture.frame(None, state(0), 0.5, observation(1) * 0.5);
    let hand = picture.frame(Some(arm), parameter(0), 1.0, control(0));
    picture.follow = Some(arm);
    picture.add(None, Shape::line(Role::Ground, (0.0, 0.0), (1.0, state(1) - state(0) + 2.0)));
    picture.add(Some(arm), Shape::circle(Role::Body, (0.0, 1.0), 0.5));
    picture.add(Some(hand), Shape::rect(Role::Moving, (1.0, 0.0), (2.0, -state(0))));
    let points = vec![[Affine::from(0.0), state(0)], [Affine::from(1.0), state(1)]];
    picture.add(Some(hand), Shape::polyline(Role::Target, points));
    picture.add(None, Shape::text(Role::Force, (0.0, 0.0), 0.2, "</text>"));
    picture
}

fn open(descriptor: &Descriptor, structure: Option<&[u64]>) -> Result<PlantHandle, String> {
    // SAFETY: the descriptor is one of this test, and keeps its contract.
    unsafe { PlantHandle::from_descriptor(&raw const *descriptor, structure) }
        .map_err(|error| error.to_string())
}

#[test]
fn a_picture_is_the_same_linked_and_from_a_library() {
    let descriptor = descriptor_of::<Drawn>();
    for structure in [None, Some(&[2][..]), Some(&[5])] {
        let linked = PlantHandle::linked::<Drawn>(structure).unwrap();
        assert_eq!(linked.picture(), Some(&picture()));
        assert_eq!(open(&descriptor, structure).unwrap().picture(), Some(&picture()));
    }
    assert_eq!(open(&descriptor, Some(&[3])).unwrap().picture(), None);
    let error = open(&descriptor, Some(&[4])).unwrap_err();
    assert!(error.contains("no paint"), "{error}");
}

#[test]
fn a_library_without_optional_parts_or_with_others_has_no_picture() {
    extern "C" fn others(_id: *const c_char) -> *const c_void {
        ptr::null()
    }
    for optional_part in [None, Some(others as unsafe extern "C" fn(_) -> _)] {
        let descriptor = Descriptor { optional_part, ..descriptor_of::<Drawn>() };
        assert_eq!(open(&descriptor, None).unwrap().picture(), None);
    }
}

#[test]
fn a_scalar_plant_has_its_picture() {
    #[derive(Default)]
    struct Drawing;
    impl ScalarPlant for Drawing {
        fn description(&self) -> Description {
            Description { structure: vec![], ..description(2) }
        }
        fn sizes(&self) -> Sizes {
            description(2).sizes()
        }
        fn picture(&self) -> Option<Picture> {
            Some(picture())
        }
        fn stage_cost(&self, _t_s: f64, x: &[f64], _u: &[f64], _p: &[f64]) -> f64 {
            x[0]
        }
    }
    let handle = PlantHandle::linked::<Scalar<Drawing>>(None).unwrap();
    assert_eq!(handle.picture(), Some(&picture()));
}

#[test]
fn nested_frames_turn_and_carry_their_shapes() {
    let values = Values {
        state: &[3.0, 4.0],
        observation: &[0.0, std::f64::consts::PI],
        control: &[-std::f64::consts::FRAC_PI_2],
        parameters: &[2.0],
    };
    let placed = picture().place(values);
    let is_near = |found: &[[f64; 2]], wanted: &[[f64; 2]]| {
        let pairs = found.iter().flatten().zip(wanted.iter().flatten());
        found.len() == wanted.len() && pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-12)
    };
    // The arm is at (3, 0.5), turned by a quarter, and the view follows it.
    assert!(is_near(&placed[0].points, &[[-3.0, -0.5], [-2.0, 2.5]]), "{placed:?}");
    assert!(is_near(&placed[1].points, &[[-1.0, 0.0]]) && placed[1].size == Some(0.5));
    // The hand is at (2, 1) of the arm, so at (-1, 2), and turned back.
    let rect = [[0.0, 2.0], [2.0, 2.0], [2.0, -1.0], [0.0, -1.0]];
    assert!(is_near(&placed[2].points, &rect), "{placed:?}");
    assert!(placed[2].angle.abs() < 1e-12);
    assert!(is_near(&placed[3].points, &[[-1.0, 5.0], [0.0, 6.0]]), "{placed:?}");
}

#[test]
fn bad_pictures_are_refused_in_words() {
    type Spoil = fn(&mut Picture);
    let cases: &[(Spoil, &str)] = &[
        (|p| p.shapes.clear(), "it has no shapes"),
        (|p| p.view.left = 2.0, "its view [2, 2] x [-1, 3] is empty"),
        (|p| p.view.top = f64::NAN, "is empty or not finite"),
        (|p| p.view.right = f64::INFINITY, "is empty or not finite"),
        (|p| p.follow = Some(2), "it follows frame 2 of 2"),
        (
            |p| p.frames[0].parent = Some(1),
            "frame 0: its parent is frame 1, which must be an earlier",
        ),
        (|p| p.frames[1].parent = Some(1), "frame 1: its parent is frame 1"),
        (|p| p.frames[0].x = state(2), "frame 0: x uses state 2, but the plant has 2 of them"),
        (|p| p.frames[0].y = observation(2), "y uses observation 2"),
        (|p| p.frames[0].angle = control(1), "angle uses control 1, but the plant has 1"),
        (|p| p.shapes[0].numbers[1] = parameter(usize::MAX), "shape 0: number 1 uses parameter"),
        (|p| p.shapes[0].numbers[1] = f64::NAN.into(), "number 1 has NaN in it"),
        (|p| p.shapes[0].numbers[1] = state(0) * f64::INFINITY, "number 1 has inf in it"),
        (|p| p.shapes[0].numbers[1] = state(0) * 1e13, "beyond 1e12"),
        (
            |p| p.shapes[0].numbers[0] = state(0) + state(0) + state(0) + state(0) + state(0),
            "number 0 has 5 terms: at most 4",
        ),
        (|p| p.shapes[1].frame = Some(2), "shape 1: it is in frame 2 of 2"),
        (|p| p.shapes[1].kind = ShapeKind::Line, "it has 3 numbers, but its kind takes 4"),
        (|p| p.shapes[3].numbers.truncate(3), "it has 3 numbers, but its kind takes two for each"),
        (|p| p.shapes[3].numbers.truncate(2), "it has 2 numbers"),
        (|p| p.shapes[3].numbers.resize(130, 0.0.into()), "it has 130 numbers"),
        (|p| p.shapes[0].text.push('a'), "a text, and nothing else, has letters"),
        (|p| p.shapes[4].text.clear(), "a text, and nothing else, has letters"),
        (|p| p.shapes[4].text.push('\u{1b}'), "its text has control characters"),
        (|p| p.shapes[4].text = "a".repeat(65), "its text is longer than 64 bytes"),
        (|p| p.shapes = vec![p.shapes[0].clone(); 257], "257 shapes, of which at most 256"),
        (|p| p.frames = vec![p.frames[0].clone(); 65], "65 frames, of which at most 64"),
        (
            |p| {
                p.shapes[3].numbers.resize(128, 0.0.into());
                p.shapes = vec![p.shapes[3].clone(); 33];
            },
            "4224 numbers of shapes, of which at most 4096",
        ),
    ];
    let sizes = description(2).sizes();
    assert_eq!(picture().check(sizes), Ok(()));
    for (spoil, reason) in cases {
        let mut spoiled = picture();
        spoil(&mut spoiled);
        let error = spoiled.check(sizes).unwrap_err().to_string();
        assert!(error.starts_with("its picture: ") && error.contains(reason), "{error}: {reason}");
    }
}

/// A library's picture, which a test spoils.
static mut RAW: RawPicture = RawPicture {
    struct_size: 0,
    n_frames: 0,
    n_shapes: 0,
    follow: 0,
    left: 0.0,
    right: 1.0,
    bottom: 0.0,
    top: 1.0,
    frames: ptr::null(),
    shapes: ptr::null(),
};

static mut PART: PicturePart =
    PicturePart { struct_size: 0, reserved: 0, picture: Some(raw), release_picture: None };

extern "C" fn raw(_: *const u64, _: u32, _: *mut c_char, _: u32) -> *const RawPicture {
    &raw const RAW
}

unsafe extern "C" fn part(id: *const c_char) -> *const c_void {
    // SAFETY: the host lends a text ended by 0.
    let is_meant = unsafe { CStr::from_ptr(id) } == PICTURE_PART;
    if is_meant { (&raw const PART).cast() } else { ptr::null() }
}

#[test]
fn what_a_library_hands_out_is_checked_before_it_is_read() {
    let zero = RawNumber::default();
    let frames = [RawFrame { parent: 0, x: zero, y: zero, angle: zero }];
    let numbers = [zero; 4];
    let line = RawShape {
        frame: 1,
        kind: 1,
        role: 1,
        n_numbers: 4,
        numbers: numbers.as_ptr(),
        text: ptr::null(),
    };
    let no_kind = RawTerm { factor: 1.0, kind: 5, index: 0 };
    let bad_numbers = [RawNumber { offset: 0.0, terms: [no_kind; 4] }; 4];
    let long = [b'a'; 65];
    let text = RawShape { kind: 5, n_numbers: 3, text: long.as_ptr().cast(), ..line };
    // SAFETY: this is the only test that uses it.
    let empty = unsafe { (&raw const RAW).read() };
    let good = RawPicture {
        struct_size: u32::try_from(size_of::<RawPicture>()).unwrap(),
        n_frames: 1,
        n_shapes: 1,
        frames: frames.as_ptr(),
        shapes: &raw const line,
        ..empty
    };
    let descriptor = Descriptor { optional_part: Some(part), ..descriptor_of::<Drawn>() };
    let size = u32::try_from(size_of::<PicturePart>()).unwrap();
    let opened = |raw: RawPicture, part_size: u32| {
        // SAFETY: this is the only test that uses them.
        unsafe {
            (&raw mut RAW).write(raw);
            (&raw mut PART.struct_size).write(part_size);
        }
        open(&descriptor, None).map(|handle| handle.picture().map(|found| found.shapes.len()))
    };
    assert_eq!(opened(good, size), Ok(Some(1)));
    let shapes = |shape: &RawShape| RawPicture { shapes: &raw const *shape, ..good };
    let (kind, role) = (RawShape { kind: 6, ..line }, RawShape { role: 0, ..line });
    let (null, many) =
        (RawShape { numbers: ptr::null(), ..line }, RawShape { n_numbers: u32::MAX, ..line });
    let terms = RawShape { numbers: bad_numbers.as_ptr(), ..line };
    let far = [RawFrame { parent: u64::MAX, ..frames[0] }];
    let cases = [
        (RawPicture { struct_size: 3, ..good }, "its picture is too short: 3 bytes"),
        (RawPicture { shapes: ptr::null(), ..good }, "shapes is a null or misaligned pointer"),
        (RawPicture { n_shapes: 257, ..good }, "it has 257 shapes: at most 256"),
        (RawPicture { n_frames: u32::MAX, ..good }, "it has 4294967295 frames: at most 64"),
        (RawPicture { follow: u32::MAX, ..good }, "it follows frame 4294967294 of 1"),
        (RawPicture { frames: far.as_ptr(), ..good }, "its parent is frame 4294967294"),
        (shapes(&kind), "the kind of shapes[0] is 6, which is none"),
        (shapes(&role), "the role of shapes[0] is 0, which is none"),
        (shapes(&null), "numbers of shapes[0] is a null or misaligned pointer"),
        (shapes(&many), "numbers of shapes[0]: at most 256"),
        (shapes(&terms), "has a term of kind 5, which is none"),
        (shapes(&text), "the text of shapes[0] is longer than 64 bytes"),
    ];
    for (raw, reason) in cases {
        let error = opened(raw, size).unwrap_err();
        assert!(error.contains(reason), "{error}: {reason}");
    }
    let error = opened(good, 4).unwrap_err();
    assert!(error.contains("its picture part is too short: 4 bytes"), "{error}");
}
