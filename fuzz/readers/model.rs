//! Networks trained on examples, as they are saved.

use bitloop_data::{Format, Limits, Table};
use bitloop_plant::Isa;
use bitloop_scenario::{ErrorKind, ModelFile, SavedColumn, SavedModel, SavedValues};
use bitloop_train::Predictor;

use super::saved::whatever_its_digests;

/// How many columns there are in the rows that models are applied to.
const N_COLUMNS: usize = 16;

/// Reads any bytes as a saved model: as they are, and with the digests that they should have. What is read is written, read
/// again, and applied to a row.
pub fn read(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut model: SavedModel = match ModelFile::parse(text, "fuzz.ron") {
        Ok(file) => file.value,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            if !matches!(error.kind, ErrorKind::Damaged | ErrorKind::Format) {
                return;
            }
            // The rules of another format are not known.
            match whatever_its_digests::<SavedModel>(text) {
                Some(forged) if forged.check().is_ok() => forged,
                _ => return,
            }
        }
    };
    // Files are written in the newest format.
    model.format = SavedModel::FORMAT_NUMBER;
    let text = model.to_text().expect("what was read can be written");
    let mut file =
        ModelFile::parse(&text, "again.ron").unwrap_or_else(|error| panic!("{error}\n{text}"));
    let written = file.value.clone();
    file.value.format = model.format;
    file.value.digest.clone_from(&model.digest);
    file.value.content_digest.clone_from(&model.content_digest);
    assert_eq!(file.value, model);
    file.value = written;
    apply(&file);
}

fn apply(file: &ModelFile) {
    let predictor = match Predictor::new(file) {
        Ok(predictor) => predictor,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    // A row that cannot be cut into cells, for what stands in the words, is no fault of the model.
    let Ok(table) = Table::parse("row", &row(file), Format::Csv, false, &Limits::default()) else {
        return;
    };
    if let Err(error) = predictor.score(Isa::PORTABLE, &table) {
        assert!(!error.to_string().is_empty());
    }
    match predictor.predict(Isa::PORTABLE, &table) {
        Ok(predictions) => {
            let outputs: Vec<f64> = predictions.outputs.iter().map(|output| output[0]).collect();
            assert_eq!(predictor.answer(&outputs).len(), file.value.targets.len());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A row in which each column of the model has a cell that it knows.
fn row(file: &ModelFile) -> String {
    let mut cells: [&str; N_COLUMNS] = ["0.5"; N_COLUMNS];
    for SavedColumn { number, values, .. } in file.value.inputs.iter().chain(&file.value.targets) {
        if let (Some(cell), SavedValues::Words(words) | SavedValues::Classes(words)) =
            (cells.get_mut(*number as usize - 1), values)
        {
            *cell = &words[0];
        }
    }
    cells.map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).join(",")
}
