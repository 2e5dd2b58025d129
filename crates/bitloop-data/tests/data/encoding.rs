//! Cells as inputs and targets: scaling, words, classes, missing values, saved encodings.

use bitloop_data::{
    Answer, ColumnChoice, Columns, DataErrorKind, Encoding, Format, Limits, Missing, Scaling,
    Table, Targets, UnknownWords,
};
use bitloop_net::TargetKind;

fn table(text: &str) -> Table {
    Table::parse("t.csv", text, Format::Csv, true, &Limits::default()).expect("a table")
}

fn name(name: &str) -> ColumnChoice {
    ColumnChoice::Name(name.to_owned())
}

fn all_but(target: Targets) -> Columns {
    Columns { inputs: None, ignored: vec![], nominal: vec![], targets: target }
}

fn regression(target: &str) -> Columns {
    all_but(Targets::Numbers(vec![name(target)]))
}

fn learn(table: &Table, columns: &Columns, rows: &[usize]) -> Encoding {
    Encoding::learn(table, columns, Scaling::default(), Missing::Refuse, rows).expect("an encoding")
}

/// What is wrong with learning from the first row.
fn refused(text: &str, columns: &Columns) -> bitloop_data::DataError {
    let table = table(text);
    Encoding::learn(&table, columns, Scaling::default(), Missing::Refuse, &[0])
        .and_then(|encoding| encoding.examples(&table))
        .expect_err("a refusal")
}

#[test]
fn scaling_comes_from_the_training_rows_alone() {
    let table = table("x,c,t\n0,5,10\n4,5,30\n8,6,50\n");
    let encoding = learn(&table, &regression("t"), &[0, 1]);
    let examples = encoding.examples(&table).unwrap();
    // The last row, which is not for training, lands outside; the column that is constant in training, in the middle.
    assert_eq!(examples.inputs, [[-1.0, 1.0, 3.0], [0.0, 0.0, 0.0]]);
    assert_eq!(examples.targets, [[0.0, 1.0, 2.0]]);
    assert_eq!(encoding.answer(&[2.0]), [Answer::Number(50.0)]);
    assert_eq!(encoding.target_kind(), TargetKind::Numbers);
}

#[test]
fn numbers_may_stay_as_they_are() {
    let table = table("x,t\n3,10\n4,30\n");
    let scaling = Scaling { inputs: None, targets: None, ..Scaling::default() };
    let encoding =
        Encoding::learn(&table, &regression("t"), scaling, Missing::Refuse, &[0]).unwrap();
    let examples = encoding.examples(&table).unwrap();
    assert_eq!((examples.inputs, examples.targets), (vec![vec![3.0, 4.0]], vec![vec![10.0, 30.0]]));
}

#[test]
fn a_nominal_column_becomes_an_input_of_plus_or_minus_one_for_each_word() {
    let table = table("sex,x,t\nM,0,0\nI,1,1\nF,2,2\n");
    let columns = Columns { nominal: vec![name("sex")], ..regression("t") };
    let examples = learn(&table, &columns, &[0, 2]).examples(&table).unwrap();
    let expected = [[-1.0, -1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0], [-1.0, 0.0, 1.0]];
    assert_eq!(examples.inputs, expected, "F, I, M, x");
}

#[test]
fn a_column_of_words_is_nominal_without_being_named() {
    let table = table("sex,x,t\nM,0,0\nI,1,1\nF,2,2\n");
    let named = Columns { nominal: vec![name("sex")], ..regression("t") };
    let rows = [0, 2];
    assert_eq!(learn(&table, &regression("t"), &rows), learn(&table, &named, &rows));
    // What begins like a number is not taken for a word, nor a column with a number in it.
    for text in ["a,t\n1.5x,0\n2,1\n", "a,t\n18-25,0\n26-30,1\n", "a,t\nlow,0\n7,1\n"] {
        let error = refused(text, &regression("t"));
        assert_eq!(error.kind, DataErrorKind::Value, "{text}");
        assert!(error.hint.unwrap().contains("nominal"), "{text}");
    }
    let names: Vec<String> = (0..30).map(|row| format!("n{row},{row}")).collect();
    let error = refused(&format!("a,t\n{}\n", names.join("\n")), &regression("t"));
    assert!(error.message.contains("30 different words in 30 rows"), "{error}");
    assert!(error.hint.unwrap().contains("`ignored`"));
}

#[test]
fn a_gap_among_words_can_be_a_word_and_unknown_words_none() {
    let table = table("sex,x,t\nM,0,0\n?,,1\nF,2,2\n");
    let columns = regression("t");
    let encoding =
        Encoding::learn(&table, &columns, Scaling::default(), Missing::Word, &[0, 1, 2]).unwrap();
    let expected = [[-1.0, -1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, 0.0, 1.0]];
    assert_eq!(encoding.inputs(&table).unwrap(), expected, "F, M, missing, x");
    let other = self::table("sex,x,t\nX,0,0\nM,2,1\n");
    let error = encoding.inputs(&other).unwrap_err();
    assert!(error.message.contains("expected `F`, `M`, `missing`, found `X`"), "{error}");
    assert_eq!(encoding.n_unknown_words(&other).unwrap(), 1);
    let open = Encoding { unknown_words: UnknownWords::NoWord, ..encoding };
    let expected = [[-1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0], [-1.0, 1.0]];
    assert_eq!(open.inputs(&other).unwrap(), expected);
}

#[test]
fn classes_become_an_output_each_and_two_of_them_one() {
    let three = table("x,class\n0,CYT\n1,NUC\n2,ERL\n");
    let columns = all_but(Targets::Classes(name("class")));
    // The class that is missing in the training row is known all the same.
    let encoding = learn(&three, &columns, &[0]);
    let examples = encoding.examples(&three).unwrap();
    assert_eq!(examples.targets, [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]);
    assert_eq!(encoding.answer(&[0.3, 0.2, 0.5]), [Answer::Class("NUC")]);
    assert_eq!(encoding.target_kind(), TargetKind::Classes);

    let two = table("x,class\n0,yes\n1,no\n");
    let encoding = learn(&two, &columns, &[0]);
    assert_eq!(encoding.examples(&two).unwrap().targets, [[1.0, 0.0]]);
    assert_eq!(encoding.answer(&[0.4]), [Answer::Class("no")]);
    assert_eq!(encoding.answer(&[0.6]), [Answer::Class("yes")]);

    let error = refused("x,class\n0,a\n1,a\n", &columns);
    assert_eq!(error.message, "expected two classes or more, found `a` only");
}

#[test]
fn columns_are_taken_in_the_order_asked_for() {
    let table = table("a,b,c,t\n1,2,3,0\n");
    let columns =
        Columns { inputs: Some(vec![name("c"), ColumnChoice::Number(1)]), ..regression("t") };
    let scaling = Scaling { inputs: None, targets: None, ..Scaling::default() };
    let encoding = Encoding::learn(&table, &columns, scaling, Missing::Refuse, &[0]).unwrap();
    assert_eq!(encoding.inputs(&table).unwrap(), [[3.0], [1.0]]);
}

#[test]
fn a_missing_value_is_refused_with_line_and_column() {
    for missing in ["", "?", "NA", "NaN"] {
        let error = refused(&format!("x,t\n1,2\n\n{missing},3\n"), &regression("t"));
        assert_eq!(error.kind, DataErrorKind::Missing, "{missing}");
        assert_eq!(error.place.line, Some(4));
        assert_eq!(error.place.column.as_deref(), Some("column 1 (`x`)"));
    }
    // Where nobody looks, nothing is missing.
    let ignored = Columns { ignored: vec![name("x")], ..regression("t") };
    let table = table("x,y,t\n?,1,2\n");
    assert_eq!(learn(&table, &ignored, &[0]).n_inputs(), 1);
}

#[test]
fn of_several_faults_in_a_column_the_first_in_the_file_is_named() {
    let table = table("x,t\n1,1\na,2\nb,3\n4,4\n");
    let shuffled = [3, 2, 1, 0];
    let error =
        Encoding::learn(&table, &regression("t"), Scaling::default(), Missing::Refuse, &shuffled);
    let error = error.unwrap_err();
    assert_eq!(error.place.line, Some(3), "{error}");
}

#[test]
fn what_is_no_finite_number_is_refused_with_what_was_found() {
    for found in ["1,5x", "\"1,5\"", "inf", "1e999", "0x10"] {
        let text = format!("x,y,t\n1,1,1\n2,{},2\n", found.replace("1,5x", "abc"));
        let error = refused(&text, &regression("t"));
        assert_eq!(error.kind, DataErrorKind::Value, "{found}");
        assert_eq!(error.place.line, Some(3));
        assert_eq!(error.place.column.as_deref(), Some("column 2 (`y`)"));
        assert!(error.message.starts_with("expected a finite number, found `"));
    }
}

#[test]
fn numbers_too_far_apart_to_be_scaled_are_refused() {
    let text = "x,t\n-1.7e308,0\n1.7e308,1\n";
    let both = table(text);
    let error =
        Encoding::learn(&both, &regression("t"), Scaling::default(), Missing::Refuse, &[0, 1])
            .unwrap_err();
    assert_eq!(error.kind, DataErrorKind::Value);
    let far = table("x,t\n0,0\n1e-300,1\n1e300,2\n");
    let encoding = learn(&far, &regression("t"), &[0, 1]);
    let error = encoding.examples(&far).unwrap_err();
    assert_eq!((error.kind, error.place.line), (DataErrorKind::Value, Some(4)));
}

#[test]
fn choices_that_contradict_each_other_are_refused() {
    let text = "x,y,t\n1,2,3\n";
    let twice = Columns { inputs: Some(vec![name("x"), name("t")]), ..regression("t") };
    assert_eq!(refused(text, &twice).message, "column 3 (`t`) is chosen twice");
    let nominal = Columns { nominal: vec![name("t")], ..regression("t") };
    assert_eq!(refused(text, &nominal).message, "column 3 (`t`) is nominal, but no input");
    let none = Columns { inputs: Some(vec![]), ..regression("t") };
    assert!(refused(text, &none).message.starts_with("no column is input"));
    assert!(refused(text, &all_but(Targets::Numbers(vec![]))).message.contains("target"));
}

#[test]
fn too_many_words_and_too_many_numbers_are_refused() {
    let limits = Limits { n_words: 2, n_cells: 8, ..Limits::default() };
    let read = |text: &str| Table::parse("t", text, Format::Csv, true, &limits).unwrap();
    let columns = Columns { nominal: vec![name("x")], ..regression("t") };
    let error = Encoding::learn(
        &read("x,t\na,1\nb,2\nc,3\n"),
        &columns,
        Scaling::default(),
        Missing::Refuse,
        &[0],
    )
    .unwrap_err();
    assert_eq!((error.kind, error.place.line), (DataErrorKind::TooLarge, Some(4)));
    // Four rows of two cells are eight cells, but twelve numbers.
    let table = read("x,t\na,1\nb,2\na,3\nb,4\n");
    let error =
        Encoding::learn(&table, &columns, Scaling::default(), Missing::Refuse, &[0]).unwrap_err();
    assert_eq!(error.kind, DataErrorKind::TooLarge);
}

#[test]
fn a_saved_encoding_applies_to_files_of_another_order_and_without_targets() {
    let first = table("sex,x,t\nM,0.1,3\nF,0.7,7\n");
    let columns = Columns { nominal: vec![name("sex")], ..regression("t") };
    let encoding = learn(&first, &columns, &[0, 1]);
    let saved = serde_json::to_string(&encoding).unwrap();
    let loaded: Encoding = serde_json::from_str(&saved).unwrap();
    assert_eq!(loaded, encoding);

    let second = table("extra,x,sex\n9,0.1,F\n9,0.7,M\n");
    assert_eq!(loaded.inputs(&second).unwrap(), [[1.0, -1.0], [-1.0, 1.0], [-1.0, 1.0]]);
    assert_eq!(loaded.targets(&second).unwrap_err().kind, DataErrorKind::Column);

    let bare = Table::parse("t", "F,0.7\n", Format::Csv, false, &Limits::default()).unwrap();
    assert_eq!(loaded.inputs(&bare).unwrap(), [[1.0], [-1.0], [1.0]], "by number");

    let other = table("sex,x\nX,0.1\n");
    let error = loaded.inputs(&other).unwrap_err();
    assert_eq!(error.message, "expected `F`, `M`, found `X`");
    assert_eq!(error.place.line, Some(2));
}

#[test]
fn a_saved_encoding_without_words_is_refused() {
    for words in ["{\"Classes\":[\"a\"]}", "{\"Words\":[]}"] {
        let saved = format!(
            "{{\"inputs\":[],\"targets\":[{{\"name\":null,\"number\":1,\"values\":{words}}}]}}"
        );
        assert!(serde_json::from_str::<Encoding>(&saved).is_err(), "{words}");
    }
}

/// What the columns of `text` are learnt to be, by the mean of the first two rows.
fn with_means(text: &str, columns: &Columns) -> Result<Encoding, bitloop_data::DataError> {
    Encoding::learn(&table(text), columns, Scaling::default(), Missing::Mean, &[0, 1, 2])
}

#[test]
fn missing_inputs_become_the_mean_or_the_most_frequent_word_of_the_training_rows() {
    let text = "sex,x,y,t\nM,1,7,0\nF,4,8,1\n?,,9,2\nF,NA,1,3\n";
    let columns = Columns { nominal: vec![name("sex")], ..regression("t") };
    let encoding = with_means(text, &columns).unwrap();
    let fills: Vec<_> = encoding.inputs.iter().map(|input| input.fill.as_deref()).collect();
    // Of F and M, each once, the first in the alphabet; the mean of 1 and 4; nothing is missing in y.
    assert_eq!(fills, [Some("F"), Some("2.5"), None]);
    let inputs = encoding.examples(&table(text)).unwrap().inputs;
    assert_eq!(inputs[0], [-1.0, 1.0, 1.0, 1.0]);
    // 1 to 4 becomes -1 to 1, and their mean the middle.
    assert_eq!(inputs[2], [-1.0, 1.0, 0.0, 0.0]);
    // A saved encoding fills what is missing in another file.
    let saved = serde_json::to_string(&encoding).unwrap();
    let read: Encoding = serde_json::from_str(&saved).unwrap();
    assert_eq!(read.inputs(&table("sex,x,y\nnull,?,7\n")).unwrap()[2], [0.0]);
    // But not where nothing was missing in the file that it was learnt from.
    assert_eq!(read.inputs(&table("sex,x,y\nM,1,\n")).unwrap_err().kind, DataErrorKind::Missing);

    let no_value = with_means("x,t\n?,0\n,1\nNA,2\n5,3\n", &regression("t")).unwrap_err();
    assert_eq!(no_value.kind, DataErrorKind::Missing);
    let target = with_means("x,t\n1,0\n2,\n3,2\n", &regression("t")).unwrap_err();
    assert_eq!((target.kind, target.place.line), (DataErrorKind::Missing, Some(3)));
}
