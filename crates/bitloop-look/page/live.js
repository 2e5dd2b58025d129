// A page that follows a file: one from the disk may not fetch, but it may run a script anew, which says what to show.
"use strict";

const bitloop = {
  shown: "",
  show(html) {
    // What is the same stays, so that nothing flickers and a selection is kept.
    if (html !== this.shown) document.querySelector("main").innerHTML = html;
    this.shown = html;
  },
  done() { location.reload(); },
};

(function again(source) {
  const script = document.createElement("script");
  script.src = `${encodeURIComponent(source)}?${Date.now()}`;
  script.onload = script.onerror = () => { script.remove(); setTimeout(() => again(source), 2000); };
  document.head.append(script);
})(document.currentScript.dataset.live);
