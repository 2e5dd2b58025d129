//! Parquet files: refused with what to do, or read as the same rows in text, where the feature is on.

use std::fs;

use bitloop_data::{Format, Limits, Table};

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_is_known_and_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    fs::write(&path, b"PAR1\x15\x04\x15 PAR1").unwrap();
    let error = Table::read(&path, Format::Csv, true, &Limits::default()).unwrap_err();
    assert!(error.message.contains("a Parquet file, which this build"), "{error}");
    assert!(error.hint.unwrap().contains("--features parquet"));
}

#[cfg(feature = "parquet")]
mod with_the_feature {
    use std::path::Path;
    use std::sync::Arc;

    use parquet::basic::Compression;
    use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    use super::*;

    /// Three rows of a number that may be missing, a count and a word.
    fn write(path: &Path, compression: Compression) {
        let schema = "message rows { OPTIONAL DOUBLE x; REQUIRED INT64 n; REQUIRED BYTE_ARRAY word (UTF8); }";
        let schema = Arc::new(parse_message_type(schema).unwrap());
        let properties = WriterProperties::builder().set_compression(compression).build();
        let file = fs::File::create(path).unwrap();
        let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties)).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<DoubleType>().write_batch(&[0.1, -2e-7], Some(&[1, 0, 1]), None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<Int64Type>().write_batch(&[1, -2, 3], None, None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let words = ["a", "b, c", "a"].map(ByteArray::from);
        column.typed::<ByteArrayType>().write_batch(&words, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
        writer.close().unwrap();
    }

    #[test]
    fn rows_are_those_of_the_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.parquet");
        for compression in [
            Compression::UNCOMPRESSED,
            Compression::SNAPPY,
            Compression::ZSTD(parquet::basic::ZstdLevel::default()),
            Compression::LZ4_RAW,
            Compression::GZIP(parquet::basic::GzipLevel::default()),
        ] {
            write(&path, compression);
            // Format and header are those of text.
            let table = Table::read(&path, Format::Semicolon, false, &Limits::default()).unwrap();
            assert_eq!(table.names().unwrap(), ["x", "n", "word"]);
            let rows: Vec<Vec<&str>> =
                (0..3).map(|row| (0..3).map(|column| table.cell(row, column)).collect()).collect();
            assert_eq!(rows, [["0.1", "1", "a"], ["", "-2", "b, c"], ["-2e-7", "3", "a"]]);
        }
    }

    #[test]
    fn damaged_files_and_files_beyond_the_limits_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.parquet");
        write(&path, Compression::SNAPPY);
        let whole = fs::read(&path).unwrap();
        let few = Limits { n_cells: 5, ..Limits::default() };
        let error = Table::read(&path, Format::Csv, true, &few).unwrap_err();
        assert!(error.message.contains("more than 5 cells"), "{error}");
        for n in [4, 20, whole.len() / 2, whole.len() - 1] {
            fs::write(&path, &whole[..n]).unwrap();
            let error = Table::read(&path, Format::Csv, true, &Limits::default()).unwrap_err();
            assert!(error.message.contains("this Parquet file cannot be read"), "{error}");
        }
        // Each byte once: read or refused, and never a panic.
        for at in 4..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x55;
            fs::write(&path, &bytes).unwrap();
            let _ = Table::read(&path, Format::Csv, true, &Limits::default());
        }
    }
}
