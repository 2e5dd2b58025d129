// Draws a plant at several times of a report's first episode, side by side, as one picture in SVG that follows the light or dark
// scheme of its reader. README's picture is made so:
//
// bitloop report controllers/pendulum-full-16bit.ron -o pendulum.html
// node still.cjs PLAYWRIGHT CHROMIUM pendulum.html plants/inverted-pendulum/picture.svg 0 0.3 0.6 1 1.6 6
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const [playwright, executablePath, page, out, ...times] = process.argv.slice(2);
const { chromium } = require(playwright);

const STYLE = `
text { font: 13px sans-serif; text-anchor: middle; fill: #5c6670; }
line, polyline, rect, circle { vector-effect: non-scaling-stroke; stroke-width: 2.5; stroke-linecap: round; stroke-linejoin: round; }
.ground { stroke: #7a828b; fill: none; } .body { stroke: #1b1f24; fill: #9fb3c8; }
.moving { stroke: #0072b2; fill: #0072b2; } line.moving { stroke-width: 5; }
.target { stroke: #00865f; fill: none; } .force { stroke: #c94f00; fill: none; }
@media (prefers-color-scheme: dark) {
text { fill: #a3adb7; } .ground { stroke: #8c959e; } .body { stroke: #e8ebee; fill: #53687d; }
.moving { stroke: #56b4e9; fill: #56b4e9; } .target { stroke: #35c79a; } .force { stroke: #ff9d4d; }
}`;

async function main() {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const opened = await (await browser.newContext({ offline: true })).newPage();
  await opened.goto(`file://${path.resolve(page)}`);
  const poses = [];
  for (const time of times) {
    await opened.$eval("[data-part=scrubber]", (scrubber, seconds) => {
      const horizon = parseFloat(document.querySelector("[data-part=time]").textContent.split(" of ")[1]);
      scrubber.value = String((1000 * seconds) / horizon);
      scrubber.dispatchEvent(new Event("input", { bubbles: true }));
    }, Number(time));
    poses.push(await opened.$eval("[data-part=stage] svg", (svg) => [svg.getAttribute("viewBox"), svg.innerHTML]));
  }
  await browser.close();
  const size = 150;
  const frames = poses.map(([box, inner], at) =>
    `<svg x="${at * size}" width="${size}" height="110" viewBox="${box}" preserveAspectRatio="xMidYMid meet">\n` +
    `${inner.replace(/></g, ">\n<")}\n</svg>\n<text x="${(at + 0.5) * size}" y="126">${times[at]} s</text>\n`);
  const box = `0 0 ${times.length * size} 134`;
  fs.writeFileSync(out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">\n<style>${STYLE}\n</style>\n${frames.join("")}</svg>\n`);
}

main().catch((error) => { console.error(error); process.exit(1); });
