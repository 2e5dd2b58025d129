//! [`McapFile`]: an MCAP file under way, which Foxglove and `PlotJuggler` read.

use std::collections::BTreeMap;
use std::io::{self, Seek, SeekFrom, Write};

use bitloop_replay::{Frame, Replay, Topic};
use mcap::WriteOptions;
use mcap::records::{MessageHeader, Metadata};
use serde_json::{Map, Value, json};

/// The most episodes of a file: it has at most 65535 channels, a channel for each topic of an episode.
pub const MOST_EPISODES: usize = 10_000;

/// Writes frames as messages: each topic of an episode is a channel of JSON with its schema. Times are those of the episodes, from 0
/// on, so that episodes lie over each other.
pub struct McapFile<W: Write> {
    writer: mcap::Writer<Forward<W>>,
    /// Of each topic: its schema, and the units by name.
    schemas: Vec<(u16, BTreeMap<String, String>)>,
    /// Whether channels are named after their episode.
    has_many: bool,
    /// The channels of the episode that is written.
    channels: Option<(u64, [u16; Topic::ALL.len()])>,
    sequence: u32,
    /// The beginning of a frame.
    pending: Vec<u8>,
}

impl<W: Write> McapFile<W> {
    /// Begins a file of a replay, of one episode or of all.
    ///
    /// # Errors
    /// As `out`.
    pub fn begin(out: W, replay: &Replay, has_many: bool) -> io::Result<Self> {
        let options = WriteOptions::new()
            .compression(None)
            .library(concat!("bitloop ", env!("CARGO_PKG_VERSION")))
            .disable_seeking(true);
        let out = Forward { out, position: 0 };
        let mut writer = mcap::Writer::with_options(out, options).map_err(io::Error::other)?;
        let plant = replay.plant();
        let mut schemas = Vec::new();
        for topic in Topic::ALL {
            let fields = topic.fields(plant);
            let name = format!("bitloop.{}", topic.name());
            let schema = schema(&fields).to_string();
            let id = writer.add_schema(&name, "jsonschema", schema.as_bytes());
            schemas.push((id.map_err(io::Error::other)?, fields.into_iter().collect()));
        }
        let test = [
            ("plant", plant.name.clone()),
            ("plant_version", plant.version.clone()),
            ("seed", replay.seed().to_string()),
            ("horizon_s", replay.horizon_s().to_string()),
            ("step_s", replay.step_s().to_string()),
        ];
        let test = test.map(|(name, value)| (name.to_owned(), value));
        let metadata = Metadata { name: "bitloop".to_owned(), metadata: test.into() };
        writer.write_metadata(&metadata).map_err(io::Error::other)?;
        Ok(Self { writer, schemas, has_many, channels: None, sequence: 0, pending: Vec::new() })
    }

    /// Writes what the file ends with, and returns where it was written.
    ///
    /// # Errors
    /// As `out`.
    pub fn finish(mut self) -> io::Result<W> {
        self.writer.finish().map_err(io::Error::other)?;
        Ok(self.writer.into_inner().out)
    }

    /// Writes a frame.
    ///
    /// # Errors
    /// As `out`.
    fn write_frame(&mut self, frame: &Frame<'_>) -> io::Result<()> {
        let channels = match self.channels {
            Some((episode, channels)) if episode == frame.episode => channels,
            _ => {
                let channels = self.add_channels(frame.episode)?;
                self.channels = Some((frame.episode, channels));
                channels
            }
        };
        let header = MessageHeader {
            channel_id: channels[frame.topic as usize],
            sequence: self.sequence,
            log_time: frame.time_ns,
            publish_time: frame.time_ns,
        };
        self.sequence = self.sequence.wrapping_add(1);
        self.writer.write_to_known_channel(&header, frame.message).map_err(io::Error::other)
    }

    fn add_channels(&mut self, episode: u64) -> io::Result<[u16; Topic::ALL.len()]> {
        let mut channels = [0; Topic::ALL.len()];
        for (at, topic) in Topic::ALL.into_iter().enumerate() {
            let before = if self.has_many { format!("/episode_{episode}") } else { String::new() };
            let name = format!("{before}/{}", topic.name());
            let (schema, units) = &self.schemas[at];
            channels[at] =
                self.writer.add_channel(*schema, &name, "json", units).map_err(io::Error::other)?;
        }
        Ok(channels)
    }
}

impl<W: Write> Write for McapFile<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut pending = std::mem::take(&mut self.pending);
        pending.extend_from_slice(bytes);
        let mut at = 0;
        while let Some((frame, length)) = Frame::first(&pending[at..]) {
            self.write_frame(&frame)?;
            at += length;
        }
        pending.drain(..at);
        self.pending = pending;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The schema of a message: an object of numbers, whose descriptions are the units.
fn schema(fields: &[(String, String)]) -> Value {
    let property = |(name, unit): &(String, String)| {
        (name.clone(), json!({"type": "number", "description": unit}))
    };
    let properties: Map<String, Value> = fields.iter().map(property).collect();
    json!({"type": "object", "properties": properties})
}

/// Where a file is written from its beginning to its end, such as a pipe. The library asks for the position, and never goes back, as
/// its option `disable_seeking` has it.
struct Forward<W> {
    out: W,
    position: u64,
}

impl<W: Write> Write for Forward<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.out.write(bytes)?;
        self.position += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<W> Seek for Forward<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Current(0) => Ok(self.position),
            SeekFrom::Start(position) if position == self.position => Ok(position),
            _ => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}
