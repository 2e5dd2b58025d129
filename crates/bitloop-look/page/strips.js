// Signals of the shown episode over time, each with a mark at the shown moment.
"use strict";

class Strips {
  constructor(signals, holder, seek) {
    this.rows = [];
    signals.forEach((signal, at) => {
      if (!signal.strip) return;
      const strip = html("div", `strip ${signal.kind}`, holder);
      const label = html("div", "label", strip);
      const name = html("span", "", label);
      name.append(signal.unit ? `${signal.name} [${signal.unit}] ` : `${signal.name} `);
      const value = html("span", "value", name);
      const range = html("span", "range", label);
      const svg = element("svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none", "aria-hidden": "true" }, strip);
      const limits = signal.limits.map(() => element("line", { class: "limit", x1: 0, x2: 1000 }, svg));
      const path = element("path", {}, svg);
      const mark = element("line", { y1: 0, y2: 100 }, svg);
      const seekTo = (event) => {
        const box = svg.getBoundingClientRect();
        seek(Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1));
      };
      strip.addEventListener("pointerdown", (event) => { strip.setPointerCapture(event.pointerId); seekTo(event); });
      strip.addEventListener("pointermove", (event) => { if (event.buttons & 1) seekTo(event); });
      this.rows.push({ at, signal, value, range, limits, path, mark });
    });
  }

  // Draws an episode over a part of its time: all of it by the extremes in each part, less by its samples.
  load(film, from, to, isWhole) {
    Object.assign(this, { from, to });
    for (const { at, signal, range, limits, path } of this.rows) {
      const band = film.episode.bands[at];
      let { low, high } = band || { low: 0, high: 0 };
      for (const limit of signal.limits) {
        // A limit far away is not worth a flat curve.
        if (Math.abs(limit) < 4 * Math.max(Math.abs(low), Math.abs(high), 1e-12)) {
          low = Math.min(low, limit);
          high = Math.max(high, limit);
        }
      }
      const margin = 0.06 * (high - low) || 0.5;
      const y = (value) => 100 - (100 * (value - low + margin)) / (high - low + 2 * margin);
      limits.forEach((line, i) => {
        const isNear = signal.limits[i] >= low && signal.limits[i] <= high;
        line.setAttribute("visibility", isNear ? "visible" : "hidden");
        line.setAttribute("y1", y(signal.limits[i]));
        line.setAttribute("y2", y(signal.limits[i]));
      });
      const points = isWhole ? this.extremes(band ? decoded(band) : []) : this.samples(film, at);
      path.setAttribute("d", this.curve(points, signal.held, y));
      range.textContent = `${short(band ? band.low : NaN)} to ${short(band ? band.high : NaN)}`;
    }
  }

  // Two numbers a part, the nearer one first; a part without samples is skipped.
  extremes(band) {
    const points = [], n = band.length / 2;
    let last = NaN;
    for (let i = 0; i < n; i++) {
      let first = band[2 * i], second = band[2 * i + 1];
      if (Number.isNaN(first)) continue;
      if (Math.abs(second - last) < Math.abs(first - last)) [first, second] = [second, first];
      const x = (1000 * (i + 0.5)) / n;
      points.push([x, first]);
      if (second !== first) points.push([x, second]);
      last = second;
    }
    return points;
  }

  // The samples in the shown part of the time, with one on either side of it.
  samples(film, at) {
    const first = film.sampleAt(this.from), last = Math.min(film.sampleAt(this.to) + 1, film.times.length - 1);
    const points = [];
    for (let i = first; i <= last; i++) {
      if (Number.isFinite(film.tracks[at][i])) points.push([this.x(film.times[i]), film.tracks[at][i]]);
    }
    return points;
  }

  x(time) {
    return this.to > this.from ? (1000 * (time - this.from)) / (this.to - this.from) : 0;
  }

  curve(points, isHeld, y) {
    const parts = [];
    let last = NaN;
    for (const [x, value] of points) {
      const isStep = isHeld && parts.length && x !== last;
      if (isStep) parts.push(`H${x.toFixed(1)}`);
      parts.push(`${parts.length ? "L" : "M"}${x.toFixed(1)} ${y(value).toFixed(1)}`);
      last = x;
    }
    return parts.join("");
  }

  show(values, time) {
    const x = this.x(time);
    for (const { at, value, mark } of this.rows) {
      value.textContent = short(values[at]);
      mark.setAttribute("x1", x);
      mark.setAttribute("x2", x);
    }
  }
}
