//! Arrow files and streams: refused with what to do, or read as the same rows in text, where the feature is on.

use std::fs;

use bitloop_data::{Format, Limits, Table};

#[cfg(not(feature = "arrow"))]
#[test]
fn arrow_is_known_and_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.arrow");
    for bytes in [&b"ARROW1\0\0\xff\xff\xff\xff"[..], b"\xff\xff\xff\xff\x10\0\0\0"] {
        fs::write(&path, bytes).unwrap();
        let error = Table::read(&path, Format::Csv, true, &Limits::default()).unwrap_err();
        assert!(error.message.contains("an Arrow file, which this build"), "{error}");
        assert!(error.hint.unwrap().contains("--features arrow"));
    }
}

#[test]
fn text_that_begins_like_a_file_of_columns_is_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.csv");
    for name in ["PAR1", "PAR10", "ARROW1"] {
        fs::write(&path, format!("{name},y\n1,2\n")).unwrap();
        let table = Table::read(&path, Format::Csv, true, &Limits::default()).unwrap();
        assert_eq!(table.names().unwrap(), [name, "y"]);
    }
}

#[cfg(feature = "arrow")]
mod with_the_feature {
    use std::sync::Arc;

    use arrow_array::builder::StringViewBuilder;
    use arrow_array::types::Int8Type;
    use arrow_array::{
        ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array,
        Float64Array, Int64Array, LargeStringArray, NullArray, RecordBatch, RecordBatchOptions,
        StringArray, StructArray, Time64MicrosecondArray, TimestampMicrosecondArray,
        TimestampMillisecondArray, TimestampNanosecondArray, UInt8Array,
    };
    use arrow_ipc::CompressionType;
    use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
    use arrow_schema::{Field, Schema};
    use bitloop_data::DataErrorKind;

    use super::*;

    const PACKED: [Option<CompressionType>; 3] =
        [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)];

    /// The bytes of a file or a stream.
    fn bytes(batches: &[RecordBatch], packed: Option<CompressionType>, is_stream: bool) -> Vec<u8> {
        let options = IpcWriteOptions::default().try_with_compression(packed).unwrap();
        let schema = batches[0].schema();
        let mut bytes = Vec::new();
        if is_stream {
            let mut writer =
                StreamWriter::try_new_with_options(&mut bytes, &schema, options).unwrap();
            for batch in batches {
                writer.write(batch).unwrap();
            }
            writer.finish().unwrap();
        } else {
            let mut writer =
                FileWriter::try_new_with_options(&mut bytes, &schema, options).unwrap();
            for batch in batches {
                writer.write(batch).unwrap();
            }
            writer.finish().unwrap();
        }
        bytes
    }

    fn read(bytes: &[u8], limits: &Limits) -> Result<Table, bitloop_data::DataError> {
        // Format and header are those of text.
        Table::read_from(bytes, "standard input", Format::Semicolon, false, limits)
    }

    fn rows(table: &Table) -> Vec<Vec<&str>> {
        let cells = |row| (0..table.n_columns()).map(move |column| table.cell(row, column));
        (0..table.n_rows()).map(|row| cells(row).collect()).collect()
    }

    /// Three rows of a number that may be missing, a count and a word; the last one is often the same, so that it packs.
    fn small(n_rows: usize) -> RecordBatch {
        let words = ["a", "b, c", "a"].into_iter().chain(std::iter::repeat("a"));
        let x = [Some(0.1), None, Some(-2e-7)].into_iter().chain(std::iter::repeat(Some(1.0)));
        let words: DictionaryArray<Int8Type> = words.take(n_rows).collect();
        RecordBatch::try_from_iter([
            ("x", Arc::new(x.take(n_rows).collect::<Float64Array>()) as ArrayRef),
            ("n", Arc::new((0..).take(n_rows).map(|n| n % 3 - 1).collect::<Int64Array>())),
            ("word", Arc::new(words)),
        ])
        .unwrap()
    }

    #[test]
    fn rows_are_those_of_the_text() {
        let expected =
            [["0.1", "-1", "a"], ["", "0", "b, c"], ["-2e-7", "1", "a"], ["1.0", "-1", "a"]];
        for packed in PACKED {
            for is_stream in [false, true] {
                let both = bytes(&[small(500), small(3)], packed, is_stream);
                let table = read(&both, &Limits::default()).unwrap();
                assert_eq!(table.names().unwrap(), ["x", "n", "word"]);
                let rows = rows(&table);
                assert_eq!(rows.len(), 503);
                assert_eq!(rows[..4], expected);
                assert_eq!(rows[500..], expected[..3]);
            }
        }
    }

    #[test]
    fn each_type_has_the_text_that_parquet_gives_it() {
        let mut views = StringViewBuilder::new();
        views.append_value("short");
        views.append_value(" longer than a view holds itself ");
        views.append_null();
        let n: i64 = 86_400 * 366;
        let columns: Vec<(&str, ArrayRef, [&str; 3])> = vec![
            (
                "f32",
                Arc::new(Float32Array::from(vec![0.1, f32::NAN, 1e30])),
                ["0.10000000149011612", "NaN", "1.0000000150474662e30"],
            ),
            ("u8", Arc::new(UInt8Array::from(vec![Some(255), None, Some(0)])), ["255", "", "0"]),
            (
                "bool",
                Arc::new(BooleanArray::from(vec![Some(true), Some(false), None])),
                ["true", "false", ""],
            ),
            ("null", Arc::new(NullArray::new(3)), ["", "", ""]),
            ("view", Arc::new(views.finish()), ["short", "longer than a view holds itself", ""]),
            ("large", Arc::new(LargeStringArray::from(vec!["", "ä", "c"])), ["", "ä", "c"]),
            (
                "date",
                Arc::new(Date32Array::from(vec![0, -1, 20000])),
                ["1970-01-01", "1969-12-31", "2024-10-04"],
            ),
            (
                "ms",
                Arc::new(
                    TimestampMillisecondArray::from(vec![0, n * 1000, -1])
                        .with_timezone("Europe/Rome"),
                ),
                [
                    "1970-01-01 00:00:00.000 +00:00",
                    "1971-01-02 00:00:00.000 +00:00",
                    "1969-12-31 23:59:59.999 +00:00",
                ],
            ),
            (
                "us",
                Arc::new(TimestampMicrosecondArray::from(vec![Some(1), None, Some(n)])),
                ["1970-01-01 00:00:00.000001 +00:00", "", "1970-01-01 00:00:31.622400 +00:00"],
            ),
            ("ns", Arc::new(TimestampNanosecondArray::from(vec![1, -2, 3])), ["1", "-2", "3"]),
            (
                "time",
                Arc::new(Time64MicrosecondArray::from(vec![0, 1, 86_399_999_999])),
                ["00:00:00.000000", "00:00:00.000001", "23:59:59.999999"],
            ),
            (
                "decimal",
                Arc::new(
                    Decimal128Array::from(vec![0, -5, 12345])
                        .with_precision_and_scale(9, 3)
                        .unwrap(),
                ),
                ["0.000", "-0.005", "12.345"],
            ),
            (
                "whole",
                Arc::new(
                    Decimal128Array::from(vec![0, -5, 12345])
                        .with_precision_and_scale(9, 0)
                        .unwrap(),
                ),
                ["0", "-5", "12345"],
            ),
        ];
        for (name, array, expected) in columns {
            for packed in PACKED {
                let batch = RecordBatch::try_from_iter([(name, Arc::clone(&array))]).unwrap();
                let table = read(&bytes(&[batch], packed, false), &Limits::default()).unwrap();
                assert_eq!(rows(&table).concat(), expected, "{name}");
            }
        }
    }

    #[test]
    fn columns_of_lists_and_files_without_columns_are_refused() {
        let words: ArrayRef = Arc::new(StringArray::from(vec!["a"]));
        let parts = StructArray::from(vec![(
            Arc::new(Field::new("part", words.data_type().clone(), true)),
            words,
        )]);
        let batch = RecordBatch::try_from_iter([("both", Arc::new(parts) as ArrayRef)]).unwrap();
        let error = read(&bytes(&[batch], None, true), &Limits::default()).unwrap_err();
        assert_eq!(error.kind, DataErrorKind::Value);
        assert!(error.message.starts_with("the column `both` holds lists, structs"), "{error}");
        let n_rows = RecordBatchOptions::new().with_row_count(Some(usize::MAX >> 1));
        let none = Arc::new(Schema::empty());
        let batch = RecordBatch::try_new_with_options(none, Vec::new(), &n_rows).unwrap();
        let error = read(&bytes(&[batch], None, false), &Limits::default()).unwrap_err();
        assert_eq!(error.message, "there are no columns in this file");
    }

    #[test]
    fn files_beyond_the_limits_are_refused() {
        for is_stream in [false, true] {
            let whole = bytes(&[small(300)], Some(CompressionType::ZSTD), is_stream);
            let few = Limits { n_cells: 5, ..Limits::default() };
            let error = read(&whole, &few).unwrap_err();
            assert!(error.message.contains("more than 5 cells"), "{error}");
            // As many bytes as the file has, but fewer than it unpacks to.
            let few = Limits { n_bytes: whole.len() as u64, ..Limits::default() };
            let error = read(&whole, &few).unwrap_err();
            assert_eq!(error.kind, DataErrorKind::TooLarge, "{error}");
            assert!(error.message.contains("bytes unpacked, the limit"), "{error}");
        }
    }

    #[test]
    fn a_stream_may_just_end_and_a_second_one_is_refused() {
        let whole = bytes(&[small(3)], None, true);
        let limits = Limits::default();
        assert_eq!(read(&whole[..whole.len() - 8], &limits).unwrap().n_rows(), 3);
        let error = read(&[&whole[..], &whole].concat(), &limits).unwrap_err();
        assert!(error.message.contains("more behind the end of the stream"), "{error}");
    }

    #[test]
    fn damaged_files_are_refused() {
        for is_stream in [false, true] {
            for packed in PACKED {
                let whole = bytes(&[small(40), small(3)], packed, is_stream);
                for n in [9, 20, whole.len() / 2] {
                    let error = read(&whole[..n], &Limits::default()).unwrap_err();
                    assert!(error.message.contains("this Arrow file cannot be read"), "{error}");
                }
                // Each byte: read or refused, and never more memory than the limits allow.
                for at in 8..whole.len() {
                    let mut bytes = whole.clone();
                    bytes[at] ^= [0x01, 0x55, 0x80][at % 3];
                    if let Err(error) = read(&bytes, &Limits::default()) {
                        assert!(error.hint.is_some(), "{error}");
                    }
                }
            }
        }
    }
}
