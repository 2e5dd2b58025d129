// Opens pages of reports as a user would, in a browser without a network. A page that is not as it should be ends this with a
// message and a code other than 0.
//
// node pages.cjs PLAYWRIGHT CHROMIUM FOLDER [SCREENSHOTS]
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const [playwright, executablePath, folder, screenshots] = process.argv.slice(2);
const { chromium } = require(playwright);

// For a machine that is busy; nothing waits as long elsewhere.
const PATIENCE = { timeout: 120000 };

async function opened(browser, name, options) {
  const context = await browser.newContext({ offline: true, ...options });
  const page = await context.newPage();
  const faults = [];
  const url = `file://${path.join(folder, name)}`;
  page.setDefaultTimeout(PATIENCE.timeout);
  page.on("console", (message) => faults.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`error: ${error}`));
  page.on("dialog", (dialog) => { faults.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => { if (request.url() !== url) faults.push(`request: ${request.url()}`); });
  await page.goto(url);
  return { context, page, faults };
}

const time = (page) => page.$eval("[data-part=time]", (output) => parseFloat(output.textContent));
const speed = (page, value) => page.selectOption("[data-part=speed]", value);

// What moves: all attributes of the picture, or of the bars.
const picture = (page) => page.$eval("[data-part=stage]", (stage) => stage.innerHTML);

async function plays(browser, name, moves) {
  const { context, page, faults } = await opened(browser, name, { viewport: { width: 1200, height: 900 } });
  assert.strictEqual(await time(page), 0);
  const before = await picture(page);
  await speed(page, "10");
  await page.click("[data-part=play]");
  await page.waitForFunction(() => parseFloat(document.querySelector("[data-part=time]").textContent) > 1, null, PATIENCE);
  assert.notStrictEqual(await picture(page), before, "nothing moves");
  for (const selector of moves) assert.ok(await page.$(selector), `${selector} is not there`);
  // The space bar pauses: what is shown stays as it is.
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Space");
  const paused = await time(page);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.strictEqual(await time(page), paused);
  await page.keyboard.press("Home");
  assert.strictEqual(await time(page), 0);
  assert.strictEqual(await picture(page), before, "the beginning is another one");
  await page.keyboard.press("ArrowRight");
  const step = await time(page);
  assert.ok(step > 0, "the arrow does not move");
  await page.keyboard.press("ArrowLeft");
  assert.strictEqual(await time(page), 0);
  await page.keyboard.press("End");
  const end = await time(page);
  assert.ok(end > 5, "the end is missing");
  await page.$eval("[data-part=scrubber]", (scrubber) => {
    scrubber.value = "500";
    scrubber.dispatchEvent(new Event("input", { bubbles: true }));
  });
  assert.ok(Math.abs((await time(page)) - end / 2) < 0.1 * end, "the scrubber does not move");
  // Another episode, and a part of the curves; a click on a curve goes there.
  await page.selectOption("[data-part=episode]", "1");
  assert.strictEqual(await time(page), 0);
  await page.selectOption("[data-part=window]", "0.1");
  const strip = await page.$(".strip svg");
  const box = await strip.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const clicked = await time(page);
  assert.ok(clicked > 0 && clicked < 0.2 * end, `a click leads to ${clicked}`);
  const drawn = (curve) => curve.startsWith("M") && /[HL]/.test(curve) && !curve.includes("NaN");
  const curves = () => page.$$eval(".strip path", (paths) => paths.map((one) => one.getAttribute("d")));
  assert.ok((await curves()).every(drawn), "a curve is empty");
  await page.keyboard.press("End");
  assert.ok((await curves()).every(drawn), "a curve is empty at the end");
  assert.deepStrictEqual(faults, []);
  await context.close();
}

// Nothing is wider than the window, and letters stand out, in both schemes.
async function fits(browser, name) {
  for (const width of [400, 1600]) {
    for (const colorScheme of ["light", "dark"]) {
      const options = { viewport: { width, height: 900 }, colorScheme };
      const { context, page, faults } = await opened(browser, name, options);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${name} is ${wide} wide in a window of ${width}`);
      const [ink, paper] = await page.evaluate(() => {
        const style = getComputedStyle(document.body);
        return [style.color, style.backgroundColor].map((color) => Number(color.match(/\d+/)[0]));
      });
      assert.ok(colorScheme === "dark" ? ink > 180 && paper < 60 : ink < 60 && paper > 180, `${ink} on ${paper}`);
      if (screenshots) {
        await page.screenshot({ path: path.join(screenshots, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      }
      assert.deepStrictEqual(faults, []);
      await context.close();
    }
  }
}

// The warning is in the window as it opens.
async function warns(browser, name, words) {
  const { context, page } = await opened(browser, name, { viewport: { width: 1000, height: 700 } });
  const warning = await page.$("[role=alert]");
  const box = await warning.boundingBox();
  assert.ok(box.y + box.height < 400, "the warning is too far below");
  assert.ok((await warning.textContent()).includes(words));
  await context.close();
}

// What a plant says is shown as it is said, and does nothing.
async function isInert(browser, name, words) {
  const { context, page, faults } = await opened(browser, name, {});
  await page.click("[data-part=play]");
  await page.waitForFunction(() => parseFloat(document.querySelector("[data-part=time]").textContent) > 0, null, PATIENCE);
  assert.strictEqual(await page.evaluate(() => window.hit), undefined);
  assert.strictEqual((await page.$$("img, iframe, object, script[src]")).length, 0);
  assert.ok((await page.textContent("main")).includes(words), "the name is not shown");
  assert.deepStrictEqual(faults, []);
  await context.close();
}

// A live page follows its script: what that says is shown, and the last one makes it load what it has become.
async function follows(browser, name) {
  const html = fs.readFileSync(path.join(folder, name), "utf8");
  const script = path.join(folder, name.replace(".html", ".live.js"));
  const replace = (file, text) => { fs.writeFileSync(`${file}.new`, text); fs.renameSync(`${file}.new`, file); };
  const context = await browser.newContext({ offline: true });
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => { if (!request.url().startsWith("file:")) faults.push(request.url()); });
  await page.goto(`file://${path.join(folder, name)}`);
  for (const words of ["first", "second"]) {
    replace(script, `bitloop.show("\\u003cp>${words}\\u003c/p>");`);
    await page.waitForFunction((wanted) => document.querySelector("main").textContent === wanted, words, PATIENCE);
  }
  replace(path.join(folder, name), html.replace(/<main>[^]*<\/script>/, "<main>it is over</main>"));
  replace(script, "bitloop.done();");
  await page.waitForFunction(() => document.body.textContent.includes("it is over"), null, PATIENCE);
  assert.deepStrictEqual(faults, []);
  await context.close();
}

async function main() {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  await plays(browser, "pendulum.html", ["line.moving", "rect.body"]);
  await plays(browser, "quadrotor.html", [".bar .fill"]);
  const all = ["pendulum.html", "quadrotor.html", "hostile.html", "model.html", "campaign.html"];
  for (const name of all) await fits(browser, name);
  await warns(browser, "quadrotor.html", "chatter or a limit cycle");
  await isInert(browser, "hostile.html", "<script>hit=1</script>");
  await follows(browser, "live.html");
  await browser.close();
  console.log("all pages are as they should be");
}

main().catch((error) => { console.error(error); process.exit(1); });
