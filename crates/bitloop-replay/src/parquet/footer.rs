//! The metadata of a Parquet file: heads of pages, and the footer.
//!
//! Field numbers are those of `parquet.thrift`.

use super::compact::{Compact, I32, I64, STRUCT, TEXT};
use super::{Column, Kind};

/// Values one after another, as they are.
const PLAIN: u64 = 0;
/// How levels are encoded, of which columns without missing values have none.
const RLE: u64 = 3;

/// A column of a row group, as it lies in the file.
#[derive(Clone, Copy, Debug)]
pub struct Chunk {
    /// Where it begins.
    pub offset: u64,
    /// With the head of its page.
    pub n_bytes: u64,
}

/// Rows that lie together, column by column.
#[derive(Clone, Debug)]
pub struct RowGroup {
    /// How many.
    pub n_rows: u64,
    /// Column by column.
    pub chunks: Vec<Chunk>,
}

/// The head of a page of so many values and bytes.
pub fn page_head(n_values: u64, n_bytes: u64) -> Vec<u8> {
    let mut head = Compact::default();
    head.open();
    // A data page.
    head.number(1, I32, 0);
    head.number(2, I32, n_bytes);
    head.number(3, I32, n_bytes);
    head.field(5, STRUCT);
    head.open();
    head.number(1, I32, n_values);
    head.number(2, I32, PLAIN);
    head.number(3, I32, RLE);
    head.number(4, I32, RLE);
    head.close();
    head.close();
    head.into_bytes()
}

/// The metadata at the end of a file.
pub fn footer(columns: &[Column], groups: &[RowGroup]) -> Vec<u8> {
    let mut meta = Compact::default();
    meta.open();
    meta.number(1, I32, 1);
    meta.list(2, STRUCT, columns.len() + 1);
    meta.open();
    meta.text(4, "table");
    meta.number(5, I32, columns.len() as u64);
    meta.close();
    for column in columns {
        meta.open();
        meta.number(1, I32, physical_type(&column.kind));
        // Required.
        meta.number(3, I32, 0);
        meta.text(4, &column.name);
        if let Kind::Word(_) = column.kind {
            // UTF-8.
            meta.number(6, I32, 0);
        }
        meta.close();
    }
    meta.number(3, I64, groups.iter().map(|group| group.n_rows).sum());
    meta.list(4, STRUCT, groups.len());
    for group in groups {
        row_group(&mut meta, columns, group);
    }
    meta.text(6, "bitloop");
    meta.close();
    meta.into_bytes()
}

fn row_group(meta: &mut Compact, columns: &[Column], group: &RowGroup) {
    meta.open();
    meta.list(1, STRUCT, columns.len());
    for (column, chunk) in columns.iter().zip(&group.chunks) {
        meta.open();
        meta.number(2, I64, chunk.offset);
        meta.field(3, STRUCT);
        meta.open();
        meta.number(1, I32, physical_type(&column.kind));
        meta.list(2, I32, 2);
        meta.integer(PLAIN);
        meta.integer(RLE);
        meta.list(3, TEXT, 1);
        meta.text_element(&column.name);
        // Uncompressed.
        meta.number(4, I32, 0);
        meta.number(5, I64, group.n_rows);
        meta.number(6, I64, chunk.n_bytes);
        meta.number(7, I64, chunk.n_bytes);
        meta.number(9, I64, chunk.offset);
        meta.close();
        meta.close();
    }
    meta.number(2, I64, group.chunks.iter().map(|chunk| chunk.n_bytes).sum());
    meta.number(3, I64, group.n_rows);
    meta.close();
}

/// `INT64`, `DOUBLE` or `BYTE_ARRAY`.
const fn physical_type(kind: &Kind) -> u64 {
    match kind {
        Kind::Count => 2,
        Kind::Number => 5,
        Kind::Word(_) => 6,
    }
}
