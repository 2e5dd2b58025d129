//! Files as tables: formats, headers, quirks, limits, errors.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use bitloop_data::{
    ClassWeights, ColumnChoice, Columns, DataErrorKind, DataSource, DataSpec, Encoding, Format,
    Limits, Missing, OwnFiles, Scaling, Split, Table, Targets,
};
use flate2::Compression;
use flate2::write::GzEncoder;

fn parse(text: &str, format: Format, has_header: bool) -> Table {
    Table::parse("t", text, format, has_header, &Limits::default()).expect("a table")
}

fn rows(table: &Table) -> Vec<Vec<&str>> {
    (0..table.n_rows())
        .map(|row| (0..table.n_columns()).map(|column| table.cell(row, column)).collect())
        .collect()
}

/// A file in a folder that lives as long as the returned handle.
fn file(name: &str, bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("a file");
    (folder, path)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory takes all");
    encoder.finish().expect("memory takes all")
}

fn read(path: &Path, limits: &Limits) -> Result<Table, bitloop_data::DataError> {
    Table::read(path, Format::Csv, false, limits)
}

#[test]
fn csv_with_quotes_blanks_empty_lines_and_windows_line_ends() {
    let table = parse("a,\"b, c\" ,\"say \"\"d\"\"\"\r\n\r\n1,2,3\r\n", Format::Csv, false);
    assert_eq!(rows(&table), [["a", "b, c", "say \"d\""], ["1", "2", "3"]]);
    assert_eq!(table.names(), None);
}

#[test]
fn tsv_keeps_blanks_inside_and_empty_cells() {
    let table = parse("first name\tage\nAnn Lee\t\n", Format::Tsv, true);
    assert_eq!(table.names().unwrap(), ["first name", "age"]);
    assert_eq!(rows(&table), [["Ann Lee", ""]]);
}

#[test]
fn whitespace_takes_any_number_of_blanks_and_no_last_line_end() {
    let table = parse("  A  0.5\t1\n\n  B   0.25  2", Format::Whitespace, false);
    assert_eq!(rows(&table), [["A", "0.5", "1"], ["B", "0.25", "2"]]);
}

#[test]
fn columns_are_found_by_name_and_number_or_not_at_all() {
    let table = parse("x,y,x\n1,2,3\n", Format::Csv, true);
    let name = |name: &str| table.position(&ColumnChoice::Name(name.to_owned()));
    assert_eq!(name("y").unwrap(), 1);
    assert_eq!(table.position(&ColumnChoice::Number(3)).unwrap(), 2);
    let error = name("z").unwrap_err();
    assert_eq!(error.message, "no column `z`: expected `x`, `y`, `x`");
    assert_eq!(name("x").unwrap_err().message, "two columns are called `x`");
    for number in [0, 4] {
        let error = table.position(&ColumnChoice::Number(number)).unwrap_err();
        assert_eq!(error.message, format!("no column {number}: expected 1 to 3"));
    }
    let bare = parse("1,2\n", Format::Csv, false);
    let error = bare.position(&ColumnChoice::Name("x".to_owned())).unwrap_err();
    assert!(error.hint.unwrap().contains("header"));
}

#[test]
fn a_line_of_another_length_is_told_by_its_number_in_the_file() {
    for (text, format) in [
        ("a,b\n\n1,2\n\n3\n", Format::Csv),
        ("a\tb\r\n\r\n1\t2\r\n\r\n3\r\n", Format::Tsv),
        ("a b\n\n1 2\n\n3\n", Format::Whitespace),
    ] {
        let error = Table::parse("t", text, format, true, &Limits::default()).unwrap_err();
        assert_eq!(error.kind, DataErrorKind::Shape);
        assert_eq!(error.place.line, Some(5), "{format:?}");
        assert_eq!(error.message, "expected 2 cells, found 1");
    }
}

#[test]
fn a_quote_left_open_is_an_error() {
    // The third of them has as many cells as the other rows, and so would end the table there.
    for (text, line) in [
        ("1,2\n\"3,4\n5,6\n", 2),
        ("a,b\r\n\r\n1,\"c\r\nd\",\"\r\n2,e", 4),
        ("1,a\n2,\"b\n3,c\n4,d\n", 2),
        ("1,a\n2,\"", 2),
        ("1,a\n2,\"b\"\"\n", 2),
    ] {
        let error = Table::parse("t", text, Format::Csv, false, &Limits::default()).unwrap_err();
        assert_eq!((error.kind, error.place.line), (DataErrorKind::Shape, Some(line)), "{text}");
        assert!(error.message.contains("is not closed"), "{text}: {error}");
        assert!(error.hint.unwrap().contains("close it"), "{text}: {error}");
    }
}

#[test]
fn quotes_that_are_part_of_a_cell_are_kept() {
    let table = parse("1,5\" disk\n2, \"b\n3,\"c\"d\"\n4,\"\"\"e\"\"\"\n5,f\"", Format::Csv, false);
    let cells: Vec<String> = rows(&table).into_iter().map(|row| row[1].to_owned()).collect();
    assert_eq!(cells, ["5\" disk", "\"b", "cd\"", "\"e\"", "f\""]);
    // A line end in quotes is part of its cell, also at the end of a file.
    let table = parse("1,a\n2,\"b\nc\"", Format::Csv, false);
    assert_eq!(rows(&table), [["1", "a"], ["2", "b\nc"]]);
}

#[test]
fn a_header_of_numbers_is_refused_and_a_file_without_rows_too() {
    let fails = |text| {
        Table::parse("t", text, Format::Csv, true, &Limits::default()).unwrap_err().message.clone()
    };
    assert!(fails("1,2\n3,4\n").contains("only numbers"));
    assert!(fails("a,b\n").contains("no rows"));
    assert!(fails("").contains("no rows"));
}

#[test]
fn gzip_is_known_by_its_content_and_a_byte_order_mark_is_no_text() {
    let (_folder, path) = file("plain.csv", &gzip("\u{feff}1,2\n3,4\n".as_bytes()));
    let table = read(&path, &Limits::default()).unwrap();
    assert_eq!(rows(&table), [["1", "2"], ["3", "4"]]);
    // Two members, as `cat a.gz b.gz` makes.
    let (_folder, path) = file("two.gz", &[gzip(b"1,2\n"), gzip(b"3,4\n")].concat());
    assert_eq!(read(&path, &Limits::default()).unwrap().n_rows(), 2);
}

#[test]
fn a_file_that_unpacks_beyond_the_limit_is_refused_whatever_its_own_size() {
    let packed = gzip(&b"1,2\n".repeat(1 << 20));
    let limits = Limits { n_bytes: 1 << 16, ..Limits::default() };
    assert!((packed.len() as u64) < limits.n_bytes, "a small file");
    let (_folder, path) = file("bomb.gz", &packed);
    let error = read(&path, &limits).unwrap_err();
    assert_eq!(error.kind, DataErrorKind::TooLarge);
    let (_folder, path) = file("large.csv", &b"1,2\n".repeat(1 << 15));
    assert_eq!(read(&path, &limits).unwrap_err().kind, DataErrorKind::TooLarge);
    let (_folder, path) = file("fits.csv", &b"1,2\n".repeat(1 << 14));
    assert_eq!(read(&path, &limits).unwrap().n_rows(), 1 << 14);
}

#[test]
fn more_cells_than_the_limit_are_refused_at_their_line() {
    let limits = Limits { n_cells: 5, ..Limits::default() };
    let error = Table::parse("t", "1,2\n3,4\n5,6\n", Format::Csv, false, &limits).unwrap_err();
    assert_eq!((error.kind, error.place.line), (DataErrorKind::TooLarge, Some(3)));
}

#[test]
fn what_cannot_be_read_says_why() {
    let kind = |path: &Path| read(path, &Limits::default()).unwrap_err().kind;
    let (folder, damaged) = file("damaged.gz", &gzip(&b"1,2\n".repeat(100))[..40]);
    assert_eq!(kind(&damaged), DataErrorKind::Unreadable);
    assert_eq!(kind(folder.path()), DataErrorKind::Unreadable, "a folder");
    assert_eq!(kind(&folder.path().join("none.csv")), DataErrorKind::Unreadable);
    let (_folder, binary) = file("binary.csv", b"1,2\n3,\xff\n");
    let error = read(&binary, &Limits::default()).unwrap_err();
    assert_eq!((error.kind, error.place.line), (DataErrorKind::NotText, Some(2)));
}

#[test]
fn semicolons_leave_commas_to_numbers() {
    let text = "a;b\n1,5;\"x;y\"\n-2,25;z\n";
    let table = Table::parse("t", text, Format::Semicolon, true, &Limits::default()).unwrap();
    assert_eq!((table.n_columns(), table.cell(0, 1)), (2, "x;y"));
    let columns = Columns {
        inputs: Some(vec![ColumnChoice::Number(1)]),
        ignored: vec![],
        nominal: vec![],
        targets: Targets::Classes(ColumnChoice::Number(2)),
    };
    let scaling = Scaling { inputs: None, targets: None, ..Scaling::default() };
    let encoding = Encoding::learn(&table, &columns, scaling, Missing::Refuse, &[0]).unwrap();
    assert_eq!(encoding.inputs(&table).unwrap(), [[1.5, -2.25]]);
}

#[test]
fn a_file_that_looks_like_another_format_says_so() {
    let column = ColumnChoice::Name("b".to_owned());
    let read = |text: &str, format| {
        Table::parse("t", text, format, true, &Limits::default())
            .and_then(|table| table.position(&column))
            .unwrap_err()
            .hint
            .unwrap()
    };
    for (text, hint) in [
        ("a;b\n1;2\n", "format: Semicolon"),
        // Decimal commas are cut by commas into lines of different lengths.
        ("a;b\n1,5;2\n", "format: Semicolon"),
        ("a\tb\n1\t2\n", "format: Tsv"),
        ("a b\n1 2\n", "format: Whitespace"),
    ] {
        assert!(read(text, Format::Csv).contains(hint), "{text}");
    }
    assert!(read("a,b\n1,2\n", Format::Semicolon).contains("format: Csv"));
    assert!(read("a,c\n1,2\n", Format::Csv).contains("spelling"));
}

#[test]
fn rows_without_a_value_in_a_chosen_column_are_left_out_on_request() {
    let text = "a,b,c,t\n1,2,,10\n?,3,4,20\n5,6,7,NA\n8,9,1,40\n3,1,2,50\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("holes.csv");
    fs::write(&path, text).unwrap();
    let number = |n| ColumnChoice::Number(n);
    let spec = DataSpec {
        source: DataSource::File { path, format: Format::Csv, has_header: true },
        columns: Columns {
            inputs: Some(vec![number(1), number(2)]),
            ignored: vec![],
            nominal: vec![],
            targets: Targets::Numbers(vec![number(4)]),
        },
        scaling: Scaling { inputs: None, targets: None, ..Scaling::default() },
        own_files: OwnFiles::default(),
        missing: Missing::Drop,
        class_weights: ClassWeights::Equal,
        split: Split::all(3),
        limits: Limits::default(),
    };
    let data = spec.load().unwrap().training;
    // The hole in column c, which is not chosen, leaves its row.
    assert_eq!(data.targets, [[10.0, 40.0, 50.0]]);
    assert_eq!(data.inputs, [[1.0, 8.0, 3.0], [2.0, 9.0, 1.0]]);
    let too_many = DataSpec { split: Split::all(4), ..spec.clone() };
    assert!(too_many.load().unwrap_err().message.contains("found 3"));
    let refused = DataSpec { missing: Missing::Refuse, ..spec };
    assert_eq!(refused.load().unwrap_err().kind, DataErrorKind::Missing);
}

#[test]
fn parts_of_their_own_files_are_joined_by_the_names_of_columns() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let path = write("a.csv", "x,id,t\n0,a,10\n4,b,30\n2,c,20\n");
    let spec = DataSpec {
        source: DataSource::File { path, format: Format::Csv, has_header: true },
        own_files: OwnFiles {
            validation: Some(write("b.csv", "t,x,more,id\n50,8,?,d\n")),
            test: Some(write("c.csv", "id,t,x\ne,10,0\nf,30,4\n")),
        },
        columns: Columns {
            inputs: None,
            ignored: vec![ColumnChoice::Name("id".to_owned())],
            nominal: vec![],
            targets: Targets::Numbers(vec![ColumnChoice::Name("t".to_owned())]),
        },
        scaling: Scaling::default(),
        missing: Missing::Refuse,
        class_weights: ClassWeights::Equal,
        split: Split::all(3),
        limits: Limits::default(),
    };
    let data = spec.load().unwrap();
    assert_eq!(data.training.inputs, [[-1.0, 1.0, 0.0]]);
    assert_eq!(
        (data.validation.inputs, data.test.inputs),
        (vec![vec![3.0]], vec![vec![-1.0, 1.0]])
    );
    // An error is at the line of its own file.
    write("c.csv", "id,t,x\ne,10,0\nf,30,many\n");
    let error = spec.load().unwrap_err();
    assert_eq!(error.place.line, Some(3));
    assert!(error.file.ends_with("c.csv"), "{error}");
    write("c.csv", "id,t\ne,10\n");
    let error = spec.load().unwrap_err();
    assert_eq!(error.kind, DataErrorKind::Column);
    assert!(error.message.contains("no column `x`") && error.file.ends_with("c.csv"), "{error}");
}
