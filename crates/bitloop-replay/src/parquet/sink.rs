//! [`ParquetSink`]: turns the bytes of a table into those of a Parquet file.

use std::io::{self, Write};

use super::footer::{Chunk, RowGroup, footer, page_head};
use super::{Column, Kind};

const MAGIC: &[u8] = b"PAR1";

/// Rows of a group: a megabyte of each column.
const ROWS_PER_GROUP: usize = 1 << 17;

/// Bytes of a cell.
const CELL: usize = 8;

/// Writes a Parquet file from the bytes of a table. It writes to `dyn Write`, not to a type parameter, so that it is compiled with
/// the optimization of this crate, not of its caller.
#[derive(Debug, Default)]
pub struct ParquetSink {
    /// Nothing until the line with them has come.
    columns: Option<Vec<Column>>,
    /// What has come and is not written yet.
    pending: Vec<u8>,
    groups: Vec<RowGroup>,
    /// Where the next bytes go in the file.
    offset: u64,
}

impl ParquetSink {
    /// Takes the next bytes of the table, and writes what is enough for a group of rows.
    ///
    /// # Errors
    /// If they cannot be written, or the line that names the columns makes no sense.
    pub fn take(&mut self, bytes: &[u8], out: &mut dyn Write) -> io::Result<()> {
        self.pending.extend_from_slice(bytes);
        if self.columns.is_none() {
            let Some(end) = self.pending.iter().position(|&byte| byte == b'\n') else {
                return Ok(());
            };
            let columns = serde_json::from_slice(&self.pending[..end]).map_err(io::Error::other)?;
            self.pending.drain(..=end);
            self.columns = Some(columns);
            self.put(MAGIC, out)?;
        }
        let size = ROWS_PER_GROUP * self.width();
        while self.pending.len() >= size {
            self.write_group(ROWS_PER_GROUP, out)?;
        }
        Ok(())
    }

    /// Writes what is left, and the footer.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let n_rows = self.pending.len() / self.width();
        if n_rows > 0 {
            self.write_group(n_rows, out)?;
        }
        let footer = footer(self.columns.as_deref().unwrap_or_default(), &self.groups);
        let length = u32::try_from(footer.len()).map_err(io::Error::other)?;
        self.put(&footer, out)?;
        self.put(&length.to_le_bytes(), out)?;
        self.put(MAGIC, out)
    }

    /// Bytes of a row.
    fn width(&self) -> usize {
        self.columns.as_ref().map_or(1, |columns| CELL * columns.len().max(1))
    }

    /// Writes the first so many rows that are pending, column by column.
    fn write_group(&mut self, n_rows: usize, out: &mut dyn Write) -> io::Result<()> {
        let width = self.width();
        let rows: Vec<u8> = self.pending.drain(..n_rows * width).collect();
        let columns = self.columns.take().unwrap_or_default();
        let mut chunks = Vec::with_capacity(columns.len());
        for (position, column) in columns.iter().enumerate() {
            let cells = rows.chunks_exact(width).map(|row| &row[CELL * position..][..CELL]);
            let values = values(column, cells);
            let head = page_head(n_rows as u64, values.len() as u64);
            let offset = self.offset;
            self.put(&head, out)?;
            self.put(&values, out)?;
            chunks.push(Chunk { offset, n_bytes: self.offset - offset });
        }
        self.columns = Some(columns);
        self.groups.push(RowGroup { n_rows: n_rows as u64, chunks });
        Ok(())
    }

    fn put(&mut self, bytes: &[u8], out: &mut dyn Write) -> io::Result<()> {
        out.write_all(bytes)?;
        self.offset += bytes.len() as u64;
        Ok(())
    }
}

/// The cells of a column as Parquet has them.
fn values<'a>(column: &Column, cells: impl ExactSizeIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut values = Vec::with_capacity(CELL * cells.len());
    let Kind::Word(words) = &column.kind else {
        cells.for_each(|cell| values.extend_from_slice(cell));
        return values;
    };
    for cell in cells {
        let position = cell.first().copied().unwrap_or_default();
        let word = words.get(usize::from(position)).map(String::as_str).unwrap_or_default();
        // Words are those of this program, and short.
        let length = u32::try_from(word.len()).unwrap_or_default();
        values.extend_from_slice(&length.to_le_bytes());
        values.extend_from_slice(word.as_bytes());
    }
    values
}

#[cfg(test)]
mod tests {
    use super::super::head;
    use super::*;

    /// Two rows, which pyarrow 26 reads as `episode` 3 and 4, `x` 0.5 and -1.0, `end` "b" and "a".
    const GOLDEN: &str = "\
        504152311500152015202c15041500150615060000030000000000000004000000000000001500152015202c15041500\
        150615060000000000000000e03f000000000000f0bf1500151415142c15041500150615060000010000006201000000\
        611502194c48057461626c65150600150425001807657069736f646500150a250018017800150c25001803656e642500\
        001604191c193c26081c150419250006191807657069736f6465150016041642164226080000264a1c150a1925000619\
        1801781500160416421642264a0000268c011c150c19250006191803656e641500160416361636268c01000016ba0116\
        040028076269746c6f6f70009b00000050415231";

    #[test]
    fn a_table_is_written_as_other_programs_read_it() {
        let words = Kind::Word(vec!["a".to_owned(), "b".to_owned()]);
        let columns = [
            Column::count("episode"),
            Column::number("x"),
            Column { name: "end".to_owned(), kind: words },
        ];
        let mut table = head(&columns);
        for (episode, x, end) in [(3_u64, 0.5_f64, 1_u64), (4, -1.0, 0)] {
            table.extend(episode.to_le_bytes());
            table.extend(x.to_le_bytes());
            table.extend(end.to_le_bytes());
        }
        let mut files = Vec::new();
        // However it is cut into pieces.
        for size in [1, 7, table.len()] {
            let (mut sink, mut file) = (ParquetSink::default(), Vec::new());
            table.chunks(size).for_each(|piece| sink.take(piece, &mut file).unwrap());
            sink.finish(&mut file).unwrap();
            let hex: Vec<String> = file.iter().map(|byte| format!("{byte:02x}")).collect();
            files.push(hex.concat());
        }
        assert_eq!(files, [GOLDEN; 3]);
    }

    #[test]
    fn long_tables_are_several_groups_of_rows() {
        let mut table = head(&[Column::number("x")]);
        let n_rows = 2 * ROWS_PER_GROUP + 5;
        table.extend((0..n_rows).flat_map(|row| (row as f64).to_le_bytes()));
        let (mut sink, mut file) = (ParquetSink::default(), Vec::new());
        sink.take(&table, &mut file).unwrap();
        sink.finish(&mut file).unwrap();
        let sizes: Vec<u64> = sink.groups.iter().map(|group| group.n_rows).collect();
        assert_eq!(sizes, [ROWS_PER_GROUP as u64, ROWS_PER_GROUP as u64, 5]);
        // The last value stands right before the footer.
        let chunk = sink.groups[2].chunks[0];
        let end = usize::try_from(chunk.offset + chunk.n_bytes).unwrap();
        assert_eq!(file[end - 8..end], ((n_rows - 1) as f64).to_le_bytes());
    }
}
