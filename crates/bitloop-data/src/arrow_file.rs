//! Arrow files and streams as rows of text.
//!
//! Both hold messages: a schema, dictionaries of words, and batches of rows. A stream has them one behind the other, a file lists
//! at its end where they are. Whatever a message says of its buffers is held against the file and the limits before they
//! are decoded, since memory is taken for what a buffer says that it unpacks to.

use std::collections::HashMap;
use std::fmt::{Display, Write};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::downcast_dictionary_array;
use arrow_array::temporal_conversions::{
    date32_to_datetime, date64_to_datetime, time32ms_to_time, time32s_to_time, time64us_to_time,
    timestamp_ms_to_datetime, timestamp_s_to_datetime, timestamp_us_to_datetime,
};
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type,
    Decimal256Type, DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType,
    DurationSecondType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, Time32MillisecondType, Time32SecondType, Time64MicrosecondType,
    Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{read_dictionary, read_record_batch};
use arrow_ipc::{Message, RecordBatch, root_as_footer, root_as_message};
use arrow_schema::{ArrowError, DataType, SchemaRef, TimeUnit};

use crate::decoding::{Stop, not_flat, number_text};
use crate::error::quoted;
use crate::read::too_large;
use crate::rows::Rows;

/// What a file begins and ends with; a stream does not.
const MAGIC: &[u8] = b"ARROW1";

/// Times of day are in UTC, as in Parquet files.
const MILLISECONDS: &str = "%Y-%m-%d %H:%M:%S%.3f +00:00";
const MICROSECONDS: &str = "%Y-%m-%d %H:%M:%S%.6f +00:00";

/// Stands before the length of a message.
const CONTINUATION: [u8; 4] = [0xff; 4];

impl From<ArrowError> for Stop {
    fn from(error: ArrowError) -> Self {
        Self::Damaged(error.to_string())
    }
}

fn damaged(reason: &str) -> Stop {
    Stop::Damaged(reason.to_owned())
}

/// What a stream ends with, unless it just ends; before 2019, the last four of these bytes.
const END: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

/// Adds the names of the columns and each row.
pub(crate) fn rows(bytes: Vec<u8>, rows: &mut Rows<'_>) -> Result<(), Stop> {
    let bytes = Buffer::from(bytes);
    let (schema, places) =
        if bytes.starts_with(MAGIC) { of_file(&bytes)? } else { of_stream(&bytes)? };
    for field in schema.fields() {
        if !is_flat(field.data_type()) {
            let holds = "lists, structs, unions, bytes, intervals or runs";
            return Err(not_flat(rows.file(), field.name(), holds).into());
        }
    }
    rows.columns(schema.fields().iter().map(|field| field.name().clone()).collect())?;
    let mut batches = Batches { schema, dictionaries: HashMap::new(), n_unpacked: 0, n_rows: 0 };
    match places {
        Places::Listed(places) => {
            for at in places {
                let (message, body, _) =
                    message_at(&bytes, at)?.ok_or_else(|| damaged("a message is missing"))?;
                batches.add(message, &body, rows)?;
            }
        }
        Places::From(mut at) => {
            while let Some((message, body, end)) = message_at(&bytes, at)? {
                batches.add(message, &body, rows)?;
                at = end;
            }
            // Rows of a second stream would be lost.
            if ![&[][..], &END, &END[4..]].contains(&&bytes[at..]) {
                return Err(damaged("there is more behind the end of the stream"));
            }
        }
    }
    Ok(())
}

/// Where messages begin.
enum Places {
    /// Each of them.
    Listed(Vec<usize>),
    /// The first one, and each other behind the one before it.
    From(usize),
}

/// The schema of a file, and where dictionaries and then batches are.
fn of_file(bytes: &[u8]) -> Result<(SchemaRef, Places), Stop> {
    let cut = || damaged("its end is missing");
    let rest = bytes.strip_suffix(MAGIC).ok_or_else(cut)?;
    let (rest, length) = rest.split_last_chunk().ok_or_else(cut)?;
    let start = usize::try_from(i32::from_le_bytes(*length))
        .ok()
        .and_then(|length| rest.len().checked_sub(length))
        .ok_or_else(cut)?;
    let footer = root_as_footer(&rest[start..]).map_err(|_| damaged("its end is damaged"))?;
    let schema = schema_of(footer.schema())?;
    let blocks = footer
        .dictionaries()
        .into_iter()
        .flatten()
        .chain(footer.recordBatches().into_iter().flatten());
    let places = blocks.map(|block| usize::try_from(block.offset()));
    let places = places.collect::<Result<_, _>>().map_err(|_| damaged("its end is damaged"))?;
    Ok((schema, Places::Listed(places)))
}

/// The schema of a stream, and where its first message behind it is.
fn of_stream(bytes: &Buffer) -> Result<(SchemaRef, Places), Stop> {
    let (message, _, end) = message_at(bytes, 0)?.ok_or_else(|| damaged("it has no schema"))?;
    Ok((schema_of(message.header_as_schema())?, Places::From(end)))
}

fn schema_of(found: Option<arrow_ipc::Schema<'_>>) -> Result<SchemaRef, Stop> {
    let schema = found.ok_or_else(|| damaged("it has no schema"))?;
    if !schema.endianness().equals_to_target_endianness() {
        return Err(damaged("its numbers have another byte order than this machine's"));
    }
    Ok(Arc::new(try_fb_to_schema(schema)?))
}

/// A message, its body, and where it ends; nothing at the end of a stream.
fn message_at(bytes: &Buffer, at: usize) -> Result<Option<(Message<'_>, Buffer, usize)>, Stop> {
    let cut = || damaged("a message is not complete");
    let word = |at: usize| -> Result<[u8; 4], Stop> {
        bytes.get(at..).and_then(<[u8]>::first_chunk).copied().ok_or_else(cut)
    };
    // A stream may end without a mark.
    if at == bytes.len() {
        return Ok(None);
    }
    // Before 2019, a message began with its length.
    let at = if word(at)? == CONTINUATION { at + 4 } else { at };
    let length = usize::try_from(i32::from_le_bytes(word(at)?)).map_err(|_| cut())?;
    if length == 0 {
        return Ok(None);
    }
    let start = at + 4;
    let end = start.checked_add(length).ok_or_else(cut)?;
    let metadata = bytes.get(start..end).ok_or_else(cut)?;
    let message = root_as_message(metadata).map_err(|_| damaged("a message is damaged"))?;
    let length = usize::try_from(message.bodyLength()).map_err(|_| cut())?;
    if length > bytes.len() - end {
        return Err(cut());
    }
    Ok(Some((message, bytes.slice_with_length(end, length), end + length)))
}

/// The dictionaries so far, and how much was read.
struct Batches {
    schema: SchemaRef,
    dictionaries: HashMap<i64, ArrayRef>,
    /// Bytes of all buffers, unpacked.
    n_unpacked: u64,
    n_rows: u64,
}

impl Batches {
    /// Keeps a dictionary, or adds the rows of a batch.
    fn add(
        &mut self,
        message: Message<'_>,
        body: &Buffer,
        rows: &mut Rows<'_>,
    ) -> Result<(), Stop> {
        let version = message.version();
        if let Some(dictionary) = message.header_as_dictionary_batch() {
            let words = dictionary.data().ok_or_else(|| damaged("a dictionary has no words"))?;
            self.count(words, body, rows)?;
            let (schema, known) = (&self.schema, &mut self.dictionaries);
            return Ok(read_dictionary(body, dictionary, schema, known, &version)?);
        }
        let Some(batch) = message.header_as_record_batch() else {
            let found = message.header_type().variant_name().unwrap_or("a message of unknown kind");
            return Err(Stop::Damaged(format!("expected a batch of rows, found {found}")));
        };
        self.count(batch, body, rows)?;
        let (schema, known) = (Arc::clone(&self.schema), &self.dictionaries);
        let batch = read_record_batch(body, batch, schema, known, None, &version)?;
        let mut text = String::new();
        for row in 0..batch.num_rows() {
            self.n_rows += 1;
            for (column, field) in batch.columns().iter().zip(self.schema.fields()) {
                text.clear();
                push_cell(column, row, &mut text).ok_or_else(|| {
                    let name = quoted(field.name());
                    Stop::Damaged(format!("a date or time in the column {name} is out of range"))
                })?;
                rows.cell(self.n_rows, text.trim())?;
            }
            rows.end_row(self.n_rows)?;
        }
        Ok(())
    }

    /// Refuses a batch whose buffers are not in its message, or unpack to more bytes than the limit with those before.
    fn count(&mut self, batch: RecordBatch<'_>, body: &[u8], rows: &Rows<'_>) -> Result<(), Stop> {
        let wrong = || damaged("a batch has buffers or lengths that cannot be");
        let n_rows = usize::try_from(batch.length()).map_err(|_| wrong())?;
        // Only columns of numbers and words get here, each of which is as long as its batch.
        for node in batch.nodes().into_iter().flatten() {
            let has_length = usize::try_from(node.length()) == Ok(n_rows);
            if !(has_length && (0..=node.length()).contains(&node.null_count())) {
                return Err(wrong());
            }
        }
        for buffer in batch.buffers().into_iter().flatten() {
            let start = usize::try_from(buffer.offset()).map_err(|_| wrong())?;
            let length = usize::try_from(buffer.length()).map_err(|_| wrong())?;
            let bytes = body.get(start..).and_then(|rest| rest.get(..length)).ok_or_else(wrong)?;
            // A buffer that is packed begins with its length when unpacked, or with -1 if it is not packed after all.
            let n_unpacked = match bytes.first_chunk() {
                Some(packed) if batch.compression().is_some() => {
                    match i64::from_le_bytes(*packed) {
                        -1 => length as u64,
                        unpacked => u64::try_from(unpacked).map_err(|_| wrong())?,
                    }
                }
                _ if batch.compression().is_some() && length > 0 => return Err(wrong()),
                _ => length as u64,
            };
            self.n_unpacked = self.n_unpacked.saturating_add(n_unpacked);
            if self.n_unpacked > rows.limits().n_bytes {
                return Err(too_large(rows.file(), rows.limits(), "unpacked").into());
            }
        }
        Ok(())
    }
}

/// Whether cells of a type have a text.
fn is_flat(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, words) => {
            !matches!(**words, DataType::Dictionary(..)) && is_flat(words)
        }
        DataType::Null
        | DataType::Boolean
        | DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View => true,
        DataType::Interval(_) => false,
        other => other.is_primitive(),
    }
}

/// Appends the text of a cell, nothing for a null: what a Parquet file of the same column gives, where times in nanoseconds are
/// numbers. `None` where it has no text.
fn push_cell(array: &dyn Array, at: usize, text: &mut String) -> Option<()> {
    fn value<T: ArrowPrimitiveType>(array: &dyn Array, at: usize) -> T::Native {
        array.as_primitive::<T>().value(at)
    }
    if array.is_null(at) {
        return Some(());
    }
    if let DataType::Dictionary(..) = array.data_type() {
        return downcast_dictionary_array!(
            array => push_cell(array.values(), array.key(at)?, text),
            _ => None
        );
    }
    let mut push = |shown: &dyn Display| write!(text, "{shown}").ok();
    match array.data_type() {
        DataType::Null => Some(()),
        DataType::Boolean => push(&array.as_boolean().value(at)),
        DataType::Int8 => push(&value::<Int8Type>(array, at)),
        DataType::Int16 => push(&value::<Int16Type>(array, at)),
        DataType::Int32 => push(&value::<Int32Type>(array, at)),
        DataType::Int64 => push(&value::<Int64Type>(array, at)),
        DataType::UInt8 => push(&value::<UInt8Type>(array, at)),
        DataType::UInt16 => push(&value::<UInt16Type>(array, at)),
        DataType::UInt32 => push(&value::<UInt32Type>(array, at)),
        DataType::UInt64 => push(&value::<UInt64Type>(array, at)),
        DataType::Float16 => push(&number_text(f64::from(value::<Float16Type>(array, at)))),
        DataType::Float32 => push(&number_text(f64::from(value::<Float32Type>(array, at)))),
        DataType::Float64 => push(&number_text(value::<Float64Type>(array, at))),
        DataType::Utf8 => push(&array.as_string::<i32>().value(at)),
        DataType::LargeUtf8 => push(&array.as_string::<i64>().value(at)),
        DataType::Utf8View => push(&array.as_string_view().value(at)),
        DataType::Decimal32(..) => push(&array.as_primitive::<Decimal32Type>().value_as_string(at)),
        DataType::Decimal64(..) => push(&array.as_primitive::<Decimal64Type>().value_as_string(at)),
        DataType::Decimal128(..) => {
            push(&array.as_primitive::<Decimal128Type>().value_as_string(at))
        }
        DataType::Decimal256(..) => {
            push(&array.as_primitive::<Decimal256Type>().value_as_string(at))
        }
        DataType::Date32 => push(&date32_to_datetime(value::<Date32Type>(array, at))?.date()),
        DataType::Date64 => push(&date64_to_datetime(value::<Date64Type>(array, at))?.date()),
        DataType::Time32(TimeUnit::Second) => {
            push(&time32s_to_time(value::<Time32SecondType>(array, at))?.format("%H:%M:%S%.3f"))
        }
        DataType::Time32(_) => push(
            &time32ms_to_time(value::<Time32MillisecondType>(array, at))?.format("%H:%M:%S%.3f"),
        ),
        DataType::Time64(TimeUnit::Microsecond) => push(
            &time64us_to_time(value::<Time64MicrosecondType>(array, at))?.format("%H:%M:%S%.6f"),
        ),
        DataType::Time64(_) => push(&value::<Time64NanosecondType>(array, at)),
        DataType::Timestamp(TimeUnit::Second, _) => push(
            &timestamp_s_to_datetime(value::<TimestampSecondType>(array, at))?.format(MILLISECONDS),
        ),
        DataType::Timestamp(TimeUnit::Millisecond, _) => push(
            &timestamp_ms_to_datetime(value::<TimestampMillisecondType>(array, at))?
                .format(MILLISECONDS),
        ),
        DataType::Timestamp(TimeUnit::Microsecond, _) => push(
            &timestamp_us_to_datetime(value::<TimestampMicrosecondType>(array, at))?
                .format(MICROSECONDS),
        ),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            push(&value::<TimestampNanosecondType>(array, at))
        }
        DataType::Duration(TimeUnit::Second) => push(&value::<DurationSecondType>(array, at)),
        DataType::Duration(TimeUnit::Millisecond) => {
            push(&value::<DurationMillisecondType>(array, at))
        }
        DataType::Duration(TimeUnit::Microsecond) => {
            push(&value::<DurationMicrosecondType>(array, at))
        }
        DataType::Duration(TimeUnit::Nanosecond) => {
            push(&value::<DurationNanosecondType>(array, at))
        }
        _ => None,
    }
}
