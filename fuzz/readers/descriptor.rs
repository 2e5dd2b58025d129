//! What a library hands out.
//!
//! The contract promises that pointers which are not null are good for what stands at them, so each buffer here is just
//! as large as the contract demands. All else is drawn from the data, zeros being a sound plant.

#![allow(unsafe_code, reason = "the boundary itself is what is tested")]

use std::cell::Cell;
use std::ffi::{c_char, c_void};
use std::ptr;

use bitloop_plant::abi::{
    ABI_VERSION, Descriptor, PicturePart, RawDescription, RawFrame, RawNumber, RawParameter,
    RawPicture, RawShape, RawStructuralParameter, RawTerm, RawVariable, read_description,
    read_header, read_picture,
};
use bitloop_plant::{Batch, Sizes};

thread_local! {
    /// What `describe` returns, and the message that it writes.
    static DESCRIBED: Cell<(*const RawDescription, u8)> = const { Cell::new((ptr::null(), 0)) };
    /// What `optional_part` returns, and what its function returns.
    static DRAWN: Cell<(*const PicturePart, *const RawPicture)> =
        const { Cell::new((ptr::null(), ptr::null())) };
}

/// Reads a descriptor and a description that are drawn from any bytes.
pub fn read(data: &[u8]) {
    let mut draw = Draw { data, texts: Vec::new() };
    let descriptor = draw.descriptor();
    let (states, controls) = (draw.variables(1), draw.variables(1));
    let (observations, parameters) = (draw.variables(1), draw.parameters());
    let (structure, integrators) = (draw.structure(), draw.integrators());
    let raw = RawDescription {
        struct_size: draw.u32_or(u32_of(size_of::<RawDescription>())),
        n_states: draw.count(states.len()),
        n_controls: draw.count(controls.len()),
        n_observations: draw.count(observations.len()),
        n_parameters: draw.count(parameters.len()),
        n_structure: draw.count(structure.len()),
        n_integrators: draw.count(integrators.len()),
        step_order: draw.u32_or(0),
        name: draw.text("plant"),
        version: draw.text("1"),
        summary: draw.text("What it is."),
        states: draw.list(&states),
        controls: draw.list(&controls),
        observations: draw.list(&observations),
        parameters: draw.list(&parameters),
        structure: draw.list(&structure),
        integrators: draw.list(&integrators),
        step_s: draw.f64_or(0.01),
        sample_time_s: draw.f64_or(0.1),
        scratch_size: draw.u64_or(0),
    };
    let is_described = draw.byte() == 0;
    DESCRIBED.set((if is_described { &raw const raw } else { ptr::null() }, draw.byte()));
    // SAFETY: all pointers in it are null, or good for the counts beside them and up to the end of a text.
    let checked = unsafe { read_description(&raw const raw) };
    // SAFETY: the descriptor is whole, and its functions keep the contract.
    match unsafe { read_header(&raw const descriptor) } {
        Ok(header) if is_described => assert_eq!(header.describe(None), checked),
        Ok(header) => assert!(header.describe(Some(&[1, 2])).is_err()),
        Err(error) => assert!(!error.to_string().is_empty() && !error.hint().is_empty()),
    }
    DESCRIBED.set((ptr::null(), 0));
    read_drawn(&mut draw, &descriptor);
}

/// Reads a picture that is drawn from what is left of the bytes, alone and through its part.
fn read_drawn(draw: &mut Draw<'_>, descriptor: &Descriptor) {
    let sizes = Sizes { n_states: 2, n_controls: 1, n_observations: 2, n_parameters: 1 };
    let frames = draw.frames();
    let numbers = draw.numbers();
    let shapes = draw.shapes(&numbers);
    let raw = RawPicture {
        struct_size: draw.u32_or(u32_of(size_of::<RawPicture>())),
        n_frames: draw.count(frames.len()),
        n_shapes: draw.count(shapes.len()),
        follow: draw.u32_or(0),
        left: draw.f64_or(-1.0),
        right: draw.f64_or(1.0),
        bottom: draw.f64_or(-1.0),
        top: draw.f64_or(1.0),
        frames: draw.list(&frames),
        shapes: draw.list(&shapes),
    };
    let part = PicturePart {
        struct_size: draw.u32_or(u32_of(size_of::<PicturePart>())),
        reserved: 0,
        picture: (draw.byte() < 250).then_some(picture as _),
        release_picture: None,
    };
    DRAWN.set((&raw const part, &raw const raw));
    // SAFETY: all pointers in it are null, or good for the counts beside them and up to the end of a text.
    let checked = unsafe { read_picture(&raw const raw, sizes) };
    if let Ok(picture) = &checked {
        let (values, one) = ([0.5, f64::NAN], [f64::INFINITY]);
        let values = bitloop_plant::picture::Values {
            state: &values,
            observation: &values,
            control: &one,
            parameters: &one,
        };
        assert_eq!(picture.place(values).len(), picture.shapes.len());
    }
    // SAFETY: the descriptor is whole, and its functions keep the contract.
    if let Ok(header) = unsafe { read_header(&raw const *descriptor) } {
        let through = header.picture(None, sizes);
        let has_part = part.picture.is_some()
            && part.struct_size as usize >= size_of::<PicturePart>()
            && part.struct_size <= 1 << 16;
        // Numbers that are NaN are refused, so that pictures can be compared.
        assert_eq!(through.ok(), if has_part { checked.ok().map(Some) } else { None });
    }
    DRAWN.set((ptr::null(), ptr::null()));
}

/// Takes numbers and texts from bytes; once they are used up, all is zero, and so sound.
struct Draw<'a> {
    data: &'a [u8],
    /// Keeps texts where they are.
    texts: Vec<Box<[u8]>>,
}

impl Draw<'_> {
    fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.data.split_first() else { return 0 };
        self.data = rest;
        first
    }

    fn bits(&mut self) -> u64 {
        u64::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    fn u64_or(&mut self, sound: u64) -> u64 {
        match self.byte() {
            0 => sound,
            1 => self.bits(),
            small => small.into(),
        }
    }

    fn u32_or(&mut self, sound: u32) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "any number will do")]
        let number = self.u64_or(sound.into()) as u32;
        number
    }

    fn f64_or(&mut self, sound: f64) -> f64 {
        match self.byte() {
            0 => sound,
            1 => f64::from_bits(self.bits()),
            2 => f64::NAN,
            3 => f64::INFINITY,
            4 => f64::NEG_INFINITY,
            small => 0.125 * f64::from(small) - 16.0,
        }
    }

    /// A text that ends with 0, or is longer than any limit.
    fn text(&mut self, sound: &str) -> *const c_char {
        let mut bytes = match self.byte() {
            0 => sound.as_bytes().to_vec(),
            1 => return ptr::null(),
            2 => vec![self.byte(); 4 * usize::from(self.byte())],
            length => (0..length).map(|_| self.byte()).collect(),
        };
        bytes.push(0);
        self.texts.push(bytes.into_boxed_slice());
        self.texts.last().map_or(ptr::null(), |text| text.as_ptr().cast())
    }

    /// How many values are at a pointer, by its own word: as many as there are, fewer, or absurdly many.
    fn count(&mut self, n: usize) -> u32 {
        match self.byte() {
            0 => u32_of(n),
            1 => 1_000_000_u32.saturating_add(self.u32_or(0)),
            small => u32_of(n.min(small.into())),
        }
    }

    /// The pointer to a list: right, null or misaligned.
    fn list<T>(&mut self, values: &[T]) -> *const T {
        match self.byte() {
            0..=250 => values.as_ptr(),
            251..=253 => ptr::null(),
            254..=255 => values.as_ptr().cast::<u8>().wrapping_add(1).cast(),
        }
    }

    /// How long a list is: mostly short.
    fn length(&mut self, usual: usize) -> usize {
        match self.byte() {
            0 => usual,
            255 => 256,
            254 => 257,
            short => usize::from(short) % 8,
        }
    }

    fn variables(&mut self, usual: usize) -> Vec<RawVariable> {
        let n = self.length(usual);
        (0..n)
            .map(|index| RawVariable {
                name: self.text(&format!("x{index}")),
                unit: self.text(""),
                min: self.f64_or(-1.0),
                max: self.f64_or(1.0),
                center: self.f64_or(0.0),
                scale: self.f64_or(1.0),
                start: self.f64_or(0.0),
            })
            .collect()
    }

    fn parameters(&mut self) -> Vec<RawParameter> {
        let n = self.length(1);
        (0..n)
            .map(|index| RawParameter {
                name: self.text(&format!("p{index}")),
                unit: self.text("kg"),
                meaning: self.text("what it is"),
                usual: self.f64_or(0.5),
                min: self.f64_or(0.0),
                max: self.f64_or(1.0),
            })
            .collect()
    }

    fn structure(&mut self) -> Vec<RawStructuralParameter> {
        let n = self.length(0);
        (0..n)
            .map(|index| RawStructuralParameter {
                name: self.text(&format!("n{index}")),
                meaning: self.text("what it counts"),
                usual: self.u64_or(1),
                min: self.u64_or(1),
                max: self.u64_or(9),
            })
            .collect()
    }

    fn integrators(&mut self) -> Vec<u32> {
        let n = self.length(1);
        (0..n).map(|_| self.u32_or(1)).collect()
    }

    fn number(&mut self) -> RawNumber {
        let offset = self.f64_or(0.5);
        let terms = std::array::from_fn(|_| RawTerm {
            factor: self.f64_or(1.0),
            kind: self.u32_or(0),
            index: self.u32_or(0),
        });
        RawNumber { offset, terms }
    }

    fn frames(&mut self) -> Vec<RawFrame> {
        let n = self.length(1);
        (0..n)
            .map(|_| RawFrame {
                parent: self.u64_or(0),
                x: self.number(),
                y: self.number(),
                angle: self.number(),
            })
            .collect()
    }

    /// Those that all shapes share.
    fn numbers(&mut self) -> Vec<RawNumber> {
        let n = self.length(4);
        (0..n).map(|_| self.number()).collect()
    }

    fn shapes(&mut self, numbers: &[RawNumber]) -> Vec<RawShape> {
        let n = self.length(1);
        (0..n)
            .map(|_| RawShape {
                frame: self.u32_or(0),
                kind: self.u32_or(1),
                role: self.u32_or(1),
                n_numbers: self.count(numbers.len()),
                numbers: self.list(numbers),
                text: if self.byte() == 0 { ptr::null() } else { self.text("A") },
            })
            .collect()
    }

    fn descriptor(&mut self) -> Descriptor {
        let mut function = |is_there: fn(u8) -> bool| is_there(self.byte()).then_some(());
        let is_there = |byte| byte < 250;
        let (describe, release) = (function(is_there), function(|byte| byte < 128));
        let table: [Option<()>; 4] = std::array::from_fn(|_| function(is_there));
        let hot =
            |index: usize| table[index].map(|()| ok as unsafe extern "C" fn(*mut Batch) -> i32);
        Descriptor {
            abi_version: self.u32_or(ABI_VERSION),
            struct_size: self.u32_or(u32_of(size_of::<Descriptor>())),
            batch_size: self.u32_or(u32_of(size_of::<Batch>())),
            capabilities: self.u32_or(1),
            describe: describe.map(|()| self::describe as _),
            release_description: release.map(|()| self::release as _),
            optional_part: Some(optional_part),
            advance: hot(0),
            observe: hot(1),
            terminal_cost: hot(2),
            failure_cost: hot(3),
        }
    }
}

fn u32_of(size: usize) -> u32 {
    u32::try_from(size).expect("some hundreds")
}

unsafe extern "C" fn ok(_batch: *mut Batch) -> i32 {
    0
}

unsafe extern "C" fn describe(
    _structure: *const u64,
    _n_structure: u32,
    message: *mut c_char,
    message_size: u32,
) -> *const RawDescription {
    let (raw, byte) = DESCRIBED.get();
    // Any byte up to the very end, without a 0.
    // SAFETY: the host lends so many bytes.
    unsafe { message.cast::<u8>().write_bytes(byte, message_size as usize) };
    raw
}

unsafe extern "C" fn optional_part(_id: *const c_char) -> *const c_void {
    DRAWN.get().0.cast()
}

unsafe extern "C" fn picture(
    _structure: *const u64,
    _n_structure: u32,
    _message: *mut c_char,
    _message_size: u32,
) -> *const RawPicture {
    DRAWN.get().1
}

unsafe extern "C" fn release(_description: *const RawDescription) {}
