// views.test.mjs -- every view of the page once: what is shown, by mouse and by keyboard, wide and narrow, light and dark.
// Pictures of all of them are put into build/lab-pictures, to be looked at.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before } from "node:test";
import { afterPicture, beam, openPage, root, startBrowser, startLab, test, until } from "./case.mjs";

const pictures = join(root, "build/lab-pictures");
const LIMIT = "contacts.tip.law.limit";
let browser, lab;
before(async () => {
  mkdirSync(pictures, { recursive: true });
  [browser, lab] = await Promise.all([startBrowser(), startLab(null, beam)]);
});

const picture = (page, name, fullPage = false) => page.screenshot({ path: join(pictures, `${name}.png`), fullPage });
const curves = (page) => page.evaluate(() => ({ t: [...window.lab.state.motion.t], v: [...window.lab.state.motion.contacts[0].v], whole: window.lab.state.motion.whole, cursor: window.lab.state.cursor }));
const slider = (page, path) => page.locator(`.knob[data-path="${path}"] input[type=range]`);
async function done(page) {
  assert.deepEqual(page.complaints, [], "the browser complains about nothing and nothing is loaded from elsewhere");
  await page.close();
}

test("knobs: turned, typed, pinned; the picture follows", async (t) => {
  const page = await openPage(t, browser, lab.address);
  const first = await curves(page);
  await afterPicture(page, () => slider(page, LIMIT).fill("0.3"));
  await until(page, () => window.lab.state.motion.contacts[0].limit === 0.3);
  const second = await curves(page);
  assert.notDeepEqual(first.v, second.v);
  await afterPicture(page, async () => {
    await page.locator(`.knob[data-path="${LIMIT}"] input[type=number]`).fill("0.9");
    await page.keyboard.press("Enter");
  });
  await until(page, () => window.lab.state.motion.contacts[0].limit === 0.9);
  await slider(page, LIMIT).focus();
  await afterPicture(page, () => page.keyboard.press("ArrowRight"));
  await until(page, () => window.lab.state.motion.contacts[0].limit > 0.9);
  await page.locator(".knobs select").selectOption("structure.mass_per_length");
  await afterPicture(page, () => slider(page, "structure.mass_per_length").fill("30"));
  const name = await slider(page, "structure.mass_per_length").getAttribute("aria-label");
  assert.match(name, /structure\.mass_per_length in kg\/m: \w+/);
  await afterPicture(page, () => page.getByRole("button", { name: "Reset all knobs" }).click());
  await until(page, () => window.lab.state.motion.contacts[0].limit === 0.66);
  assert.deepEqual((await curves(page)).v, first.v, "the same numbers give the same motion");
  await done(page);
});

test("a value that is refused is told with its reason, the last picture stays", async (t) => {
  const page = await openPage(t, browser, lab.address);
  await page.locator(`.knob[data-path="${LIMIT}"] input[type=number]`).fill("-1");
  await page.keyboard.press("Enter");
  await until(page, () => /limit/.test(document.querySelector(".stopped").textContent));
  assert.equal(await page.locator(".certificate").textContent(), "! not computed");
  await afterPicture(page, () => slider(page, LIMIT).fill("0.5"));
  await until(page, () => document.querySelector(".stopped").hidden);
  await done(page);
});

test("motion: stretches are computed for what is shown; one cursor for all", async (t) => {
  const page = await openPage(t, browser, lab.address);
  const last = await curves(page);
  assert.ok(last.t[0] > 0.9 * last.whole, "begins with the last periods");
  await afterPicture(page, () => page.getByRole("button", { name: "Show the whole run" }).click());
  await until(page, () => window.lab.state.motion.t[0] === 0);
  const box = await page.locator('[data-chart="velocity"] .u-over').boundingBox();
  await page.mouse.move(box.x + 0.4 * box.width, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.42 * box.width, box.y + 20, { steps: 4 });
  await afterPicture(page, () => page.mouse.up());
  const part = await curves(page);
  const width = part.t[part.t.length - 1] - part.t[0];
  assert.ok(Math.abs(width / part.whole - 0.02) < 0.005 && part.t.length > box.width, "a part of 2 % has as many samples as the chart has points across");
  const charts = page.getByRole("group", { name: /Motion over time/ });
  await charts.focus();
  for (const key of ["ArrowRight", "+", "-", "ArrowLeft", "Home"]) await afterPicture(page, () => page.keyboard.press(key));
  await until(page, () => window.lab.state.motion.t[0] === 0);
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 20);
  await until(page, () => window.lab.state.cursor > 0);
  const { cursor, whole } = await curves(page);
  assert.ok(Math.abs(cursor / whole - 0.5) < 0.02);
  await until(page, (c) => document.querySelector(".shape .told").textContent.includes(`t = ${Number(c.toPrecision(6))}`), cursor);
  await afterPicture(page, () => page.getByRole("button", { name: "Show its last periods" }).click());
  await picture(page, "motion-wide-light");
  assert.match(await page.locator(".certificate").textContent(), /✓ complete: proved that no event was missed/);
  assert.match(await page.locator(".residual").textContent(), /energy balance error \d\.\de-1\d/);
  await done(page);
});

test("a stop reason is a sentence", async (t) => {
  const page = await openPage(t, browser, lab.address);
  await page.locator(".knobs select").selectOption("simulate.event_budget");
  await page.locator('.knob[data-path="simulate.event_budget"] input[type=number]').fill("7");
  await page.keyboard.press("Enter");
  await until(page, () => /^The run stopped at .*: the number of events allowed was reached/.test(document.querySelector(".stopped").textContent));
  await done(page);
});

test("shape: plays, pauses, slow motion around an event", async (t) => {
  const page = await openPage(t, browser, lab.address);
  const shape = await page.evaluate(() => window.lab.state.motion.shape && { n: window.lab.state.motion.shape.n, frames: window.lab.state.motion.shape.frames });
  assert.ok(shape.n > 10 && shape.frames > 50);
  await page.getByRole("button", { name: "Play the moving shape" }).click();
  const at = await page.evaluate(() => window.lab.state.cursor);
  await until(page, (t) => window.lab.state.cursor !== t && window.lab.state.cursor !== null, at);
  await page.getByRole("button", { name: "Pause the moving shape" }).click();
  await afterPicture(page, () => page.getByRole("button", { name: "Slow motion around the next event" }).click());
  const shown = (await curves(page)).t;
  const period = await page.evaluate(() => window.lab.state.motion.period);
  assert.ok(shown[shown.length - 1] - shown[0] < 0.3 * period);
  await done(page);
});

test("a string without a drive: slow motion around an event, the force at its bridge in a loop", async (t) => {
  const other = await startLab(t, join(root, "gallery/bowed-string/violin.yaml"));
  const page = await openPage(t, browser, other.address);
  const whole = (await curves(page)).t;
  await afterPicture(page, () => page.getByRole("button", { name: "Slow motion around the next event" }).click());
  const shown = (await curves(page)).t, width = shown[shown.length - 1] - shown[0];
  assert.ok(width > 0 && width < 0.5 * (whole[whole.length - 1] - whole[0]), `${width} of ${whole[whole.length - 1] - whole[0]}`);
  await page.getByRole("button", { name: "Pause the moving shape" }).click();
  await page.getByLabel("Signal that is heard").selectOption("bridge.force");
  await page.getByRole("button", { name: "Play one period of the settled orbit" }).click();
  await until(page, () => /^bridge\.force of the run's last period in a loop, \d/.test(document.querySelector(".sound .told").textContent));
  for (const [name, file] of [["samples as CSV", "violin.csv"], ["picture as SVG", "violin.svg"]]) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: `Download the ${name}` }).click()]);
    assert.equal(download.suggestedFilename(), file, "files of the orbit shown");
  }
  await done(page);
  assert.equal((await other.end()).code, 0);
});

test("settled orbit: stability and sound in a loop while a knob is turned", async (t) => {
  const page = await openPage(t, browser, lab.address);
  await afterPicture(page, () => page.getByRole("button", { name: "Show the periodic motion" }).click());
  assert.match(await page.locator(".residual").textContent(), /^stable: largest Floquet multiplier 0\.\d+/);
  await page.getByRole("button", { name: "Play one period of the settled orbit" }).click();
  await until(page, () => Number(document.querySelector(".sound").dataset.loops) > 0);
  await afterPicture(page, () => slider(page, LIMIT).fill("0.5"));
  await until(page, () => Number(document.querySelector(".sound").dataset.loops) > 1);
  await picture(page, "orbit-wide-light");
  await page.getByRole("button", { name: "Stop the sound" }).click();
  await afterPicture(page, () => page.getByRole("button", { name: "Show the motion from its start" }).click());
  await page.getByRole("button", { name: "Play the stretch shown" }).click();
  await until(page, () => Number(document.querySelector(".sound").dataset.played) > 0);
  await done(page);
});

test("text: errors at their place while it is edited", async (t) => {
  const page = await openPage(t, browser, lab.address);
  await page.getByRole("tab", { name: "Text" }).click();
  const area = page.getByLabel("Text of the model");
  const text = await area.inputValue();
  assert.equal(text, readFileSync(beam, "utf8"));
  await area.fill(text.replace("limit: 0.66 N", "limt: 0.66 N"));
  await until(page, () => !document.querySelector(".problem").hidden);
  assert.match(await page.locator(".problem").textContent(), /line 14, column \d+.*limt.*did you mean `limit`/s);
  assert.equal(await page.locator(".lines .wrong").textContent(), "14");
  await picture(page, "error-wide-light");
  await page.getByRole("button", { name: /Go to line 14/ }).click();
  const line = await area.evaluate((a) => a.value.slice(0, a.selectionStart).split("\n").length);
  assert.equal(line, 14);
  await afterPicture(page, () => area.fill(text.replace("limit: 0.66 N", "limit: 0.44 N")));
  await until(page, () => window.lab.state.motion.contacts[0].limit === 0.44);
  assert.ok(await page.locator(".problem").isHidden());
  await area.focus();
  await page.keyboard.press("Tab");
  assert.ok(await area.evaluate((a) => a === document.activeElement && a.value.includes("  ")), "Tab indents");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.ok(await area.evaluate((a) => a !== document.activeElement), "Escape, then Tab leaves the text");
  await done(page);
});

test("take it home: YAML, command, Python, files", async (t) => {
  const page = await openPage(t, browser, lab.address);
  await afterPicture(page, () => slider(page, LIMIT).fill("0.5"));
  const copied = async (name) => {
    await page.evaluate(() => delete document.querySelector(".home").dataset.copied);
    await page.getByRole("button", { name }).click();
    await until(page, () => document.querySelector(".home").dataset.copied !== undefined);
    return page.evaluate(() => document.querySelector(".home").dataset.copied);
  };
  const old = readFileSync(beam, "utf8").split("\n"), yaml = (await copied(/Copy the model/)).split("\n");
  assert.deepEqual(yaml.filter((line, i) => line !== old[i]), ["  tip: {at: tip, against: ground, law: {type: coulomb, limit: 0.5 N}}"]);
  assert.equal(await copied(/Copy the command/), `judder run ${beam} --set ${LIMIT}=0.5`);
  assert.equal(await copied(/Copy Python/), `import judder as jd\nm = jd.load(${JSON.stringify(beam)})\nm.set("${LIMIT}", "0.5 N")\nr = m.run()\n`);
  assert.equal(await page.locator(".home .told").textContent(), "Copied.");
  await page.getByRole("tab", { name: "Text" }).click();
  await afterPicture(page, async () => page.getByLabel("Text of the model").fill(`${old.join("\n")}# mine\n`));
  await copied(/Copy the command/);
  await until(page, () => /The text was edited: put the copied YAML into rayleigh.yaml first/.test(document.querySelector(".home .told").textContent));
  for (const [name, file, begins] of [["samples as CSV", "rayleigh.csv", "t [s],"], ["result as HDF5", "rayleigh.h5", "\x89HDF"], ["picture as SVG", "rayleigh.svg", "<?xml"], ["picture as PNG", "rayleigh.png", "\x89PNG"]]) {
    const [download] = await Promise.all([page.waitForEvent("download", { timeout: 60000 }), page.getByRole("button", { name: `Download the ${name}` }).click()]);
    assert.equal(download.suggestedFilename(), file);
    assert.equal(readFileSync(await download.path(), "latin1").slice(0, begins.length), begins);
  }
  await done(page);
});

test("models to start from: gallery and templates; another model is opened", async (t) => {
  const empty = await startLab(t);
  const page = await openPage(t, browser, empty.address, { wait: false });
  await page.locator(".card").first().waitFor();
  assert.ok((await page.locator(".card").count()) > 20);
  await picture(page, "gallery-wide-light");
  for (const what of ["template/bowed-string", "template/matrices", "gallery/impact-chain/n5.yaml", "gallery/two-rods/harmonic20.yaml", "gallery/bolted-joint/lap.yaml", "gallery/brake/disc.yaml"]) {
    const link = page.locator(`[data-what="${what}"]`);
    await afterPicture(page, () => link.click());
    const shape = await page.evaluate(() => ({ ...window.lab.state.motion.shape, at: null, u: null, lines: window.lab.state.motion.shape.lines.length }));
    if (what === "template/bowed-string") assert.ok(shape.n > 100 && shape.lines === 2 * (shape.n - 1) && !shape.rows.length, "a string of infinitely many modes is a line");
    if (what === "template/matrices") assert.deepEqual([shape.rows, shape.names, shape.contacts], [[[0, 2]], [[1, "end"]], [1]], "rows of matrices stand beside each other");
    if (what.includes("lap.yaml")) {
      await afterPicture(page, () => page.getByRole("button", { name: "Zoom in" }).click());
      const ticks = (await page.locator('[data-chart][data-ticks]').getAttribute("data-ticks")).split(" ");
      assert.ok(ticks.length > 2 && new Set(ticks).size === ticks.length, `ticks are told apart: ${ticks}`);
    }
    if (what.includes("impact-chain")) {
      const least = await page.evaluate(() => Math.min(...window.lab.state.motion.events.map((e) => e.impulse)));
      await until(page, (v) => Number(document.querySelector('[data-chart="impulse"]')?.dataset.size) === -v, least); // from the strongest impact to 0
      assert.equal(await page.locator('[data-chart="force"]').count(), 0, "a stop that only bounces has impulses and no force");
    }
    if (what.includes("two-rods")) {
      await page.getByRole("button", { name: "Later" }).focus(); // the cursor is put into the middle of the stretch
      await page.locator('[data-chart="velocity"] .u-over').hover();
      await until(page, () => /shaft (\d+ (stuck|sliding [+−]),? ?)+of 152 cells/.test(document.querySelector(".shape .told").textContent));
    }
    const { samples, width } = await page.evaluate(() => ({ samples: window.lab.state.motion.t.length, width: document.querySelector(".u-over").clientWidth }));
    assert.ok(samples >= width, `${what}: as many samples as the charts have points across: ${samples} of ${width}`);
    await picture(page, `model-${what.replaceAll("/", "-")}`);
    await page.getByRole("button", { name: "Choose another model" }).click();
    await page.locator(".card").first().waitFor();
  }
  await page.locator('[data-what="gallery/cantilever/tip.yaml"]').click();
  await until(page, () => /^No orbit: the motion comes to rest/.test(document.querySelector(".stopped").textContent));
  assert.equal(await page.locator(".certificate").textContent(), "! no orbit", "nothing is said to be proved");
  assert.equal(await page.locator(".chart").count(), 0, "no curve of the model before is left");
  await done(page);
  assert.equal((await empty.end()).code, 0);
});

test("long view: a map appears point by point, a click shows the orbit and takes the numbers", async (t) => {
  const other = await startLab(t, join(root, "gallery/friction-beam/map.yaml"), "--set", "sweep.points=[20, 15]");
  const page = await openPage(t, browser, other.address);
  await page.getByRole("tab", { name: "Long view" }).click();
  await page.getByRole("button", { name: /Compute the sweep/ }).click();
  await until(page, () => /^\d+ of 300 points/.test(document.querySelector(".longview .told").textContent));
  await until(page, () => document.querySelector(".longview").dataset.done === "300", null, 240);
  await picture(page, "map-wide-light");
  const box = await page.locator(".longview canvas").boundingBox();
  await afterPicture(page, () => page.mouse.click(box.x + 0.5 * box.width, box.y + 0.5 * box.height));
  const taken = await page.evaluate(() => [...window.lab.state.changed.keys()]);
  assert.deepEqual(taken.sort(), [LIMIT, "drives.shaker.frequency.times"]);
  assert.ok(await page.evaluate(() => window.lab.state.motion.orbit !== null));
  await page.locator(".longview canvas").focus();
  await afterPicture(page, () => page.keyboard.press("ArrowRight"));
  await page.getByRole("tab", { name: "Motion" }).click();
  await picture(page, "cell-wide-light");
  await page.getByRole("tab", { name: "Long view" }).click();
  await page.getByRole("button", { name: "Choose another model" }).click();
  await afterPicture(page, () => page.locator('[data-what="template/friction-beam"]').click());
  assert.match(await page.locator(".longview .told").textContent(), /neither a section sweep nor follow/, "the map of the model before is gone");
  await done(page);
  assert.equal((await other.end()).code, 0);
});

test("long view: a branch with stability and special points, a click shows its orbit", async (t) => {
  const other = await startLab(t, join(root, "gallery/friction-beam/response.yaml"), "--set", "follow.to=1.2");
  const page = await openPage(t, browser, other.address);
  await page.getByRole("tab", { name: "Long view" }).click();
  await page.getByRole("button", { name: /Follow the branch/ }).click();
  await until(page, () => Number(document.querySelector(".longview").dataset.orbits) > 20, null, 240);
  assert.ok(await page.evaluate(() => Number(document.querySelector(".longview").dataset.growing) > 1), "it came in parts");
  assert.ok((await page.locator(".special li").count()) > 0);
  const box = await page.locator(".longview canvas").boundingBox();
  await afterPicture(page, () => page.mouse.click(box.x + 0.6 * box.width, box.y + 0.4 * box.height));
  assert.ok(await page.evaluate(() => window.lab.state.motion.orbit.residual < 1e-10));
  await picture(page, "branch-wide-light");
  await done(page);
  assert.equal((await other.end()).code, 0);
});

for (const [size, wide] of [[{ width: 1280, height: 800 }, "wide"], [{ width: 390, height: 844 }, "narrow"]])
  for (const dark of [false, true])
    test(`${wide}, ${dark ? "dark" : "light"}: nothing runs over the edge, every control has a name and a size`, async (t) => {
      const page = await openPage(t, browser, lab.address, { size, dark });
      for (const [i, tab] of ["Motion", "Long view", "Text"].entries()) {
        await page.getByRole("tab", { name: tab }).click();
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${tab} fits`);
        await picture(page, `${["motion", "long", "text"][i]}-${wide}-${dark ? "dark" : "light"}`, wide === "narrow");
      }
      const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, textarea, canvas, [role=img], [tabindex]")].filter((e) => !e.parentElement.closest("[role=img]") && !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length)).map((e) => e.outerHTML));
      assert.deepEqual(nameless, []);
      const small = await page.evaluate(() => [...document.querySelectorAll("button, select, input")].filter((e) => e.offsetParent && (e.offsetHeight < 20 || e.offsetWidth < 14)).map((e) => e.outerHTML));
      assert.deepEqual(small, []);
      await done(page);
    });

test("by keyboard alone: tabs, knobs and buttons are reached in order", async (t) => {
  const page = await openPage(t, browser, lab.address);
  const seen = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    seen.add(await page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent));
  }
  for (const name of [/Light or dark/, /contacts\.tip\.law\.limit in N/, /Copy the model/, /^Motion$/, /Zoom in/, /Motion over time/, /Play the moving shape/, /Play the stretch shown/])
    assert.ok([...seen].some((s) => name.test(s)), `${name} is reached`);
  await page.getByRole("tab", { name: "Motion" }).focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.getByRole("tab", { name: "Long view" }).getAttribute("aria-selected"), "true");
  await done(page);
});

test("Ctrl-C ends the server cleanly", async () => {
  const { code, errors } = await lab.end();
  assert.equal(code, 0, errors);
});
