//! [`Array`]: an array of numbers as `numpy.save` writes it.
//!
//! The format is a short header in ASCII and then the numbers, so that its reader is shorter than what a crate for it would
//! bring along: <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// The largest file that is read.
const LIMIT_BYTES: u64 = 1 << 26;

/// Numbers and their shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Numbers along each axis.
    pub shape: Vec<usize>,
    /// The numbers, the last axis fastest.
    pub values: Vec<f64>,
}

/// How one number is written.
#[derive(Clone, Copy)]
struct Item {
    is_float: bool,
    is_big_endian: bool,
    n_bytes: usize,
}

impl Array {
    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn read(path: &Path) -> Result<Self, String> {
        let file = File::open(path).map_err(|error| error.to_string())?;
        if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return Err("this is no regular file".to_owned());
        }
        let mut bytes = Vec::new();
        file.take(LIMIT_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        if bytes.len() as u64 > LIMIT_BYTES {
            return Err(format!("this file is larger than {LIMIT_BYTES} bytes"));
        }
        Self::parse(&bytes)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// What is wrong with them, in words.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let (header, data) = split(bytes).ok_or("this is no array as numpy.save writes it")?;
        let item = Item::named(quoted(value_of(header, "descr")?)?)?;
        let is_transposed = value_of(header, "fortran_order")?.starts_with("True");
        let shape = shape(value_of(header, "shape")?)?;
        let n = shape.iter().try_fold(1_usize, |n, &axis| n.checked_mul(axis));
        let n_bytes = n.and_then(|n| n.checked_mul(item.n_bytes));
        if n_bytes != Some(data.len()) {
            return Err(format!("{} bytes of numbers do not fill the shape {shape:?}", data.len()));
        }
        let values: Vec<f64> = data.chunks_exact(item.n_bytes).map(|it| item.number(it)).collect();
        let values = match shape[..] {
            [n_rows, n_columns] if is_transposed => (0..n_rows * n_columns)
                .map(|at| values[at % n_columns * n_rows + at / n_columns])
                .collect(),
            _ if is_transposed && shape.len() > 2 => {
                return Err("an array in Fortran's order must have one or two axes".to_owned());
            }
            _ => values,
        };
        Ok(Self { shape, values })
    }
}

/// Header and numbers.
fn split(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let rest = bytes.strip_prefix(b"\x93NUMPY")?;
    let (version, rest) = rest.split_first_chunk::<2>()?;
    let (length, rest) = if version[0] == 1 {
        let (length, rest) = rest.split_first_chunk::<2>()?;
        (usize::from(u16::from_le_bytes(*length)), rest)
    } else {
        let (length, rest) = rest.split_first_chunk::<4>()?;
        (usize::try_from(u32::from_le_bytes(*length)).ok()?, rest)
    };
    let (header, data) = rest.split_at_checked(length)?;
    Some((str::from_utf8(header).ok()?, data))
}

/// What stands after a key of the header.
fn value_of<'h>(header: &'h str, key: &str) -> Result<&'h str, String> {
    let (_, rest) = header
        .split_once(&format!("'{key}':"))
        .ok_or_else(|| format!("its header has no `{key}`"))?;
    Ok(rest.trim_start())
}

fn quoted(value: &str) -> Result<&str, String> {
    let inner = value.strip_prefix('\'').and_then(|rest| rest.split_once('\''));
    inner
        .map(|(inner, _)| inner)
        .ok_or_else(|| "its numbers are records of several parts".to_owned())
}

fn shape(value: &str) -> Result<Vec<usize>, String> {
    let inner = value.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let (inner, _) = inner.ok_or("its header has no shape in parentheses")?;
    let axes = inner.split(',').map(str::trim).filter(|axis| !axis.is_empty());
    axes.map(|axis| axis.parse().map_err(|_| format!("`{axis}` is no length of an axis"))).collect()
}

impl Item {
    /// A type by its short name, as `<f8`.
    fn named(name: &str) -> Result<Self, String> {
        let refused = || format!("its numbers are of type `{name}`: save it as numpy.float64");
        let mut letters = name.chars();
        let (order, kind) = (letters.next(), letters.next());
        let n_bytes = letters.as_str().parse().map_err(|_| refused())?;
        let (is_float, sizes) = match kind {
            Some('f') => (true, &[4, 8][..]),
            Some('i') => (false, &[1, 2, 4, 8][..]),
            _ => return Err(refused()),
        };
        if !sizes.contains(&n_bytes) || !matches!(order, Some('<' | '>' | '|')) {
            return Err(refused());
        }
        Ok(Self { is_float, is_big_endian: order == Some('>'), n_bytes })
    }

    #[expect(clippy::cast_precision_loss, reason = "weights are far from 2^53")]
    fn number(self, bytes: &[u8]) -> f64 {
        let mut word = [0; 8];
        for (at, &byte) in bytes.iter().enumerate() {
            word[if self.is_big_endian { self.n_bytes - 1 - at } else { at }] = byte;
        }
        let n_missing = 64 - 8 * self.n_bytes;
        match (self.is_float, self.n_bytes) {
            (true, 8) => f64::from_le_bytes(word),
            (true, _) => f64::from(f32::from_le_bytes([word[0], word[1], word[2], word[3]])),
            // With the sign of the highest bit.
            (false, _) => (i64::from_le_bytes(word) << n_missing >> n_missing) as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY".to_vec();
        bytes.extend([version, 0]);
        let length = u32::try_from(header.len()).unwrap().to_le_bytes();
        bytes.extend(if version == 1 { &length[..2] } else { &length[..] });
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn header(descr: &str, fortran: &str, shape: &str) -> String {
        format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}   \n")
    }

    #[test]
    fn arrays_of_each_type_and_order_are_read() {
        let doubles: Vec<u8> = [1.5_f64, -2.0, 3.0, 4.0, 5.0, 6.0]
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        let array = Array::parse(&file(1, &header("<f8", "False", "(2, 3)"), &doubles)).unwrap();
        assert_eq!(array.shape, [2, 3]);
        assert_eq!(array.values, [1.5, -2.0, 3.0, 4.0, 5.0, 6.0]);
        let array = Array::parse(&file(2, &header("<f8", "True", "(2, 3)"), &doubles)).unwrap();
        assert_eq!(array.values, [1.5, 3.0, 5.0, -2.0, 4.0, 6.0]);
        let array = Array::parse(&file(1, &header(">f4", "False", "(1,)"), &1.5_f32.to_be_bytes()));
        assert_eq!(array.unwrap().values, [1.5]);
        for (descr, bytes) in [
            ("|i1", &(-7_i8).to_le_bytes()[..]),
            ("<i2", &(-7_i16).to_le_bytes()),
            (">i4", &(-7_i32).to_be_bytes()),
            ("<i8", &(-7_i64).to_le_bytes()),
        ] {
            let array = Array::parse(&file(1, &header(descr, "False", "()"), bytes)).unwrap();
            assert_eq!((array.shape, array.values), (vec![], vec![-7.0]), "{descr}");
        }
    }

    #[test]
    fn what_is_no_array_of_numbers_is_refused() {
        let plain = |descr: &str, shape: &str| file(1, &header(descr, "False", shape), &[0; 16]);
        for (bytes, message) in [
            (b"PK\x03\x04".to_vec(), "as numpy.save writes it"),
            (plain("<f8", "(2,)")[..20].to_vec(), "as numpy.save writes it"),
            (plain("<f8", "(3,)"), "16 bytes of numbers do not fill the shape [3]"),
            (plain("<f8", "(99999999999, 99999999999)"), "do not fill the shape"),
            (plain("<f8", "(-1,)"), "`-1` is no length"),
            (plain("<c16", "(1,)"), "of type `<c16`"),
            (plain("|O", "(1,)"), "of type `|O`"),
            (file(1, "{'descr': [('a', '<f8')], }", &[]), "records of several parts"),
            (file(1, "{'shape': (1,)}", &[]), "no `descr`"),
        ] {
            let error = Array::parse(&bytes).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_bring_it_down(head in "[ -~]{0,80}", tail: Vec<u8>) {
            let _ = Array::parse(&tail);
            let _ = Array::parse(&file(1, &head, &tail));
            let _ = Array::parse(&file(1, &header("<f8", "True", &head), &tail));
        }
    }
}
