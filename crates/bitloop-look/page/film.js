// Episodes as the page holds them: numbers of 16 bits in hexadecimal digits, times as runs of equal steps.
"use strict";

const LAST = 65534; // of the steps from the least to the largest value; 65535 is no number

function decoded(track) {
  const { low, high, hex } = track;
  const values = new Float64Array(hex.length / 4);
  for (let i = 0; i < values.length; i++) {
    const step = parseInt(hex.slice(4 * i, 4 * i + 4), 16);
    values[i] = step > LAST ? NaN : low + ((high - low) * step) / LAST;
  }
  return values;
}

// One episode, ready to be asked for its values at any time.
class Film {
  constructor(episode, stepSeconds, signals) {
    this.signals = signals;
    this.episode = episode;
    this.times = [];
    for (const [first, stride, count] of episode.runs) {
      for (let i = 0; i < count; i++) this.times.push((first + i * stride) * stepSeconds);
    }
    this.tracks = episode.tracks.map(decoded);
    this.spans = episode.tracks.map((track) => track.high - track.low);
    this.end = this.times.length ? this.times[this.times.length - 1] : 0;
  }

  // The last sample at or before a time.
  sampleAt(time) {
    let low = 0, high = this.times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time) low = middle; else high = middle - 1;
    }
    return low;
  }

  // The values of all signals at a time. What is held, and what jumps, is not interpolated.
  valuesAt(time) {
    const at = this.sampleAt(time), next = Math.min(at + 1, this.times.length - 1);
    const width = this.times[next] - this.times[at];
    const part = width > 0 ? Math.min(Math.max((time - this.times[at]) / width, 0), 1) : 0;
    return this.tracks.map((track, signal) => {
      const from = track[at], to = track[next];
      const jumps = Math.abs(to - from) > 0.5 * this.spans[signal];
      const isHeld = this.signals[signal].held || (jumps && this.signals[signal].wraps);
      return isHeld || !Number.isFinite(to) ? from : from + part * (to - from);
    });
  }
}

function short(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) return value.toExponential(2);
  return String(Number(value.toPrecision(4)));
}
