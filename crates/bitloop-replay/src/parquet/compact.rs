//! [`Compact`]: the compact protocol of Thrift, in which the metadata of Parquet files are written.

/// Types of fields and of the elements of lists.
pub const I32: u8 = 5;
pub const I64: u8 = 6;
pub const TEXT: u8 = 8;
pub const LIST: u8 = 9;
pub const STRUCT: u8 = 12;

/// A structure under way.
#[derive(Debug, Default)]
pub struct Compact {
    bytes: Vec<u8>,
    /// The number of the last field of each structure that is open.
    last: Vec<u8>,
}

impl Compact {
    /// The structure, once it is closed.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Opens a structure: the outermost, an element of a list, or the value of a field.
    pub fn open(&mut self) {
        self.last.push(0);
    }

    /// Closes it.
    pub fn close(&mut self) {
        self.last.pop();
        self.bytes.push(0);
    }

    /// Begins a field; its number is at most 15 above that of the last one.
    pub fn field(&mut self, number: u8, kind: u8) {
        let last = self.last.last_mut().expect("a structure is open");
        self.bytes.push((number - *last) << 4 | kind);
        *last = number;
    }

    /// A field that is a whole number, of type [`I32`] or [`I64`].
    pub fn number(&mut self, number: u8, kind: u8, value: u64) {
        self.field(number, kind);
        self.integer(value);
    }

    /// A field that is a text.
    pub fn text(&mut self, number: u8, text: &str) {
        self.field(number, TEXT);
        self.text_element(text);
    }

    /// A field that is a list of so many elements, which follow.
    pub fn list(&mut self, number: u8, kind: u8, n: usize) {
        self.field(number, LIST);
        if let Ok(n @ 0..15) = u8::try_from(n) {
            self.bytes.push(n << 4 | kind);
        } else {
            self.bytes.push(0xf0 | kind);
            self.varint(n as u64);
        }
    }

    /// An element of a list of whole numbers, or the value of such a field: never negative here.
    pub fn integer(&mut self, value: u64) {
        self.varint(value << 1);
    }

    /// An element of a list of texts.
    pub fn text_element(&mut self, text: &str) {
        self.varint(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Seven bits a byte, the lowest first.
    fn varint(&mut self, mut value: u64) {
        loop {
            let [low, ..] = value.to_le_bytes();
            value >>= 7;
            if value == 0 {
                self.bytes.push(low & 0x7f);
                return;
            }
            self.bytes.push(low | 0x80);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_structure_is_written_as_the_protocol_says() {
        let mut compact = Compact::default();
        compact.open();
        compact.number(1, I32, 1);
        compact.number(4, I64, 300);
        compact.text(6, "ab");
        compact.list(9, STRUCT, 16);
        compact.open();
        compact.number(2, I32, 0);
        compact.close();
        compact.close();
        let expected =
            [0x15, 2, 0x36, 0xd8, 0x04, 0x28, 2, b'a', b'b', 0x39, 0xfc, 16, 0x25, 0, 0, 0];
        assert_eq!(compact.into_bytes(), expected);
    }
}
