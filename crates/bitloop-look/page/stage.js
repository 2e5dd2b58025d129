// The plant in motion: its picture, or a bar for each state where it has none.
"use strict";

const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (parent) parent.appendChild(made);
  return made;
}

// Seven digits, whatever unit the author of a picture has chosen.
function digits(number) {
  return String(Number(number.toPrecision(7)));
}

function html(name, className, parent) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (parent) parent.appendChild(made);
  return made;
}

// Draws a picture: frames are positions with angles, shapes are in frames, numbers are offset + sum of factor * value.
class Stage {
  constructor(scene, holder) {
    this.scene = scene;
    const [left, right, bottom, top] = scene.view;
    this.size = Math.min(right - left, top - bottom);
    const box = [left, -top, right - left, top - bottom].join(" ");
    this.svg = element("svg", { viewBox: box, role: "img", "aria-label": "the plant in motion" }, holder);
    const plane = element("g", { transform: "scale(1 -1)" }, this.svg);
    this.shapes = scene.shapes.map((shape) => {
      const group = element("g", {}, plane);
      const drawn = element(shape.kind, { class: shape.role }, group);
      if (shape.kind === "text") drawn.textContent = shape.text;
      const isArrow = shape.kind === "line" && shape.role === "force";
      const head = isArrow ? element("polyline", { class: "force" }, group) : null;
      return { shape, group, drawn, head };
    });
  }

  show(values, parameters) {
    const number = (n) => n.terms.reduce(
      (sum, [factor, source, index]) => sum + factor * (source === "signal" ? values : parameters)[index], n.offset);
    const plane = { x: 0, y: 0, angle: 0 };
    const poses = [];
    for (const frame of this.scene.frames) {
      const parent = frame.parent === null ? plane : poses[frame.parent];
      const [x, y, angle] = [number(frame.x), number(frame.y), number(frame.angle)];
      const [sin, cos] = [Math.sin(parent.angle), Math.cos(parent.angle)];
      poses.push({ x: parent.x + cos * x - sin * y, y: parent.y + sin * x + cos * y, angle: parent.angle + angle });
    }
    const middle = this.scene.follow === null ? plane : poses[this.scene.follow];
    for (const { shape, group, drawn, head } of this.shapes) {
      const pose = shape.frame === null ? plane : poses[shape.frame];
      const numbers = shape.numbers.map(number);
      const isSound = [pose.x, pose.y, pose.angle, middle.x, middle.y, ...numbers].every(Number.isFinite);
      group.setAttribute("visibility", isSound ? "visible" : "hidden");
      if (!isSound) continue;
      const [sin, cos] = [Math.sin(pose.angle), Math.cos(pose.angle)];
      const matrix = [cos, sin, -sin, cos, pose.x - middle.x, pose.y - middle.y];
      group.setAttribute("transform", `matrix(${matrix.map(digits).join(" ")})`);
      this.place(shape.kind, drawn, numbers, pose.angle);
      if (head) this.point(head, numbers);
    }
  }

  place(kind, drawn, numbers, angle) {
    const set = (attributes) => { for (const key in attributes) drawn.setAttribute(key, attributes[key]); };
    const [a, b, c, d] = numbers;
    if (kind === "line") set({ x1: a, y1: b, x2: c, y2: d });
    if (kind === "circle") set({ cx: a, cy: b, r: Math.abs(c) });
    if (kind === "rect") {
      set({ x: Math.min(a, a + c), y: Math.min(b, b + d), width: Math.abs(c), height: Math.abs(d) });
    }
    if (kind === "polyline") set({ points: numbers.map(digits).join(" ") });
    if (kind === "text") {
      // Letters stay upright, whatever the frame does.
      set({ transform: `translate(${a} ${b}) rotate(${(-180 / Math.PI) * angle}) scale(1 -1)`, "font-size": Math.abs(c) });
    }
  }

  // The head of an arrow; a force that is too small to have a direction has none.
  point(head, [x1, y1, x2, y2]) {
    const length = Math.hypot(x2 - x1, y2 - y1), size = Math.min(0.05 * this.size, 0.6 * length);
    const isSmall = length < 0.005 * this.size;
    const [dx, dy] = isSmall ? [0, 0] : [(size * (x2 - x1)) / length, (size * (y2 - y1)) / length];
    const points = [x2 - dx - 0.6 * dy, y2 - dy + 0.6 * dx, x2, y2, x2 - dx + 0.6 * dy, y2 - dy - 0.6 * dx];
    head.setAttribute("points", points.map(digits).join(" "));
  }
}

// A bar for each state, over the range that it has in the episodes of this page.
class Bars {
  constructor(signals, films, holder) {
    const bars = html("div", "bars", holder);
    const shown = signals.map((signal, at) => ({ signal, at })).filter(({ signal }) => signal.kind === "state");
    this.rows = shown.map(({ signal, at }) => {
      const tracks = films.map((film) => film.episode.tracks[at]);
      const low = Math.min(0, ...tracks.map((track) => track.low)), high = Math.max(0, ...tracks.map((track) => track.high));
      const bar = html("div", "bar", bars);
      const name = html("span", "name", bar);
      const track = html("div", "track", bar);
      const fill = html("div", "fill", track);
      const zero = html("div", "zero", track);
      const width = high - low || 1;
      zero.style.left = `${(100 * -low) / width}%`;
      return { at, signal, low, width, fill, name };
    });
  }

  show(values) {
    for (const { at, signal, low, width, fill, name } of this.rows) {
      const value = Number.isFinite(values[at]) ? values[at] : 0;
      const [from, to] = [Math.min(0, value), Math.max(0, value)];
      fill.style.left = `${(100 * (from - low)) / width}%`;
      fill.style.width = `${(100 * (to - from)) / width}%`;
      name.textContent = `${signal.name} ${short(values[at])} ${signal.unit}`;
    }
  }
}
