// Play, pause, speed, scrubber, choice of episode, keyboard.
"use strict";

class Player {
  constructor(data, root) {
    this.data = data;
    this.find = (name) => root.querySelector(`[data-part=${name}]`);
    this.films = data.episodes.map((episode) => new Film(episode, data.step_s, data.signals));
    this.time = 0;
    this.isPlaying = false;
    this.last = null;
    const stage = this.find("stage");
    this.stage = data.scene ? new Stage(data.scene, stage) : new Bars(data.signals, this.films, stage);
    this.strips = new Strips(data.signals, this.find("strips"), (part) => {
      this.seek(this.strips.from + part * (this.strips.to - this.strips.from));
    });
    const select = this.find("episode");
    data.episodes.forEach((episode, at) => select.add(new Option(episode.name, String(at))));
    select.addEventListener("change", () => this.choose(Number(select.value)));
    this.find("play").addEventListener("click", () => this.toggle());
    this.find("window").addEventListener("change", () => this.load(true));
    const scrubber = this.find("scrubber");
    scrubber.addEventListener("input", () => this.seek((Number(scrubber.value) / 1000) * this.horizon));
    document.addEventListener("keydown", (event) => this.key(event));
    this.choose(0);
    this.find("speed").value = this.usualSpeed();
  }

  get horizon() { return this.data.horizon_s; }
  get film() { return this.films[this.chosen]; }

  // An episode is to be over in about half a minute, unless that would hide what happens from query to query.
  usualSpeed() {
    const wanted = Math.min(this.horizon / 30, 20 * this.data.query_s);
    const speeds = [...this.find("speed").options].map((option) => Number(option.value));
    return String(speeds.filter((speed) => speed <= Math.max(1, wanted)).pop());
  }

  // Draws the curves of the part of the time that is shown, where that is not what is drawn already.
  load(isNew) {
    const part = Number(this.find("window").value), width = part * this.horizon;
    // The end of the episode belongs to the last part.
    const last = Math.round(1 / part) - 1;
    const from = part === 1 ? 0 : Math.min(Math.floor(this.time / width), last) * width;
    if (isNew || from !== this.strips.from) {
      this.strips.load(this.film, from, from + width, part === 1);
      this.strips.show(this.film.valuesAt(this.time), this.time);
    }
  }

  choose(at) {
    this.chosen = at;
    this.find("note").textContent = this.film.episode.note;
    this.time = 0;
    this.load(true);
    this.seek(0);
  }

  seek(time) {
    this.time = Math.min(Math.max(time, 0), this.film.end);
    const values = this.film.valuesAt(this.time);
    this.stage.show(values, this.film.episode.parameters);
    this.load(false);
    this.strips.show(values, this.time);
    const scrubber = this.find("scrubber");
    scrubber.value = String(this.horizon > 0 ? (1000 * this.time) / this.horizon : 0);
    const shown = `${this.time.toFixed(this.horizon < 100 ? 2 : 1)} s of ${short(this.horizon)} s`;
    scrubber.setAttribute("aria-valuetext", shown);
    const isOver = this.time >= this.film.end;
    this.find("time").textContent = isOver && this.film.episode.end ? `${shown}, ${this.film.episode.end}` : shown;
  }

  toggle() {
    if (!this.isPlaying && this.time >= this.film.end) this.seek(0);
    this.isPlaying = !this.isPlaying;
    this.last = null;
    const button = this.find("play");
    button.textContent = this.isPlaying ? "Pause" : "Play";
    button.setAttribute("aria-pressed", String(this.isPlaying));
    if (this.isPlaying) requestAnimationFrame((now) => this.tick(now));
  }

  tick(now) {
    if (!this.isPlaying) return;
    // A page that was in the background does not jump.
    const elapsed = this.last === null ? 0 : Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    this.seek(this.time + elapsed * Number(this.find("speed").value));
    if (this.time >= this.film.end) this.toggle(); else requestAnimationFrame((then) => this.tick(then));
  }

  key(event) {
    const isChoice = event.target instanceof HTMLSelectElement;
    const isOwn = event.target instanceof HTMLButtonElement || event.target.tagName === "SUMMARY";
    if (event.ctrlKey || event.altKey || event.metaKey || isChoice) return;
    const step = event.shiftKey ? this.data.query_s : Math.max(this.data.query_s, this.horizon / 100);
    const actions = {
      " ": () => { if (!isOwn) this.toggle(); return !isOwn; },
      ArrowLeft: () => { this.seek(this.time - step); return true; },
      ArrowRight: () => { this.seek(this.time + step); return true; },
      Home: () => { this.seek(0); return true; },
      End: () => { this.seek(this.film.end); return true; },
    };
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : null;
    if (action && action()) event.preventDefault();
  }
}

const held = document.getElementById("episodes");
if (held) new Player(JSON.parse(held.textContent), document.querySelector(".playing"));
