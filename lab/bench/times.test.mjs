// times.test.mjs -- how fast: from a move to its picture, and the first page. A benchmark (make bench), as wall time
// on a busy machine says little. `npm run bench` therefore takes the processors before other work (chrt -r 1) where that is
// allowed. A machine that is busy all the same is allowed more: the time that a loop of 100 ms of processor time takes
// there, over 100 ms, counts as a factor. The server's part is measured beside the whole.
import assert from "node:assert/strict";
import { before } from "node:test";
import { beam, openPage, startBrowser, startLab, test, until } from "../test/case.mjs";

let browser;
before(async () => (browser = await startBrowser()));
const share = (list, p) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(p * list.length))];

/** How much longer work takes here than its processor time: 1 on a machine of one's own. */
function crowding() {
  const begin = performance.now(), used = process.cpuUsage();
  for (let now = used, spent = 0; spent < 100000; now = process.cpuUsage(used), spent = now.user + now.system) for (let i = 0; i < 1e5; i++);
  return Math.max(1, (performance.now() - begin) / 100);
}

test("the first page is drawn within 1 s after the start", async (t) => {
  await (await openPage(t, browser, "about:blank", { wait: false })).close(); // the browser is awake
  const busy = crowding(), lab = await startLab(t, beam), page = await openPage(t, browser, lab.address);
  const took = performance.now() - lab.began;
  console.log(`first picture: ${took.toFixed(0)} ms, machine busy by ${busy.toFixed(2)}`);
  assert.ok(took < 1000 * busy, `${took} ms`);
});

test("a slider's move is seen within 50 ms (95 of 100), 30 moves a second without a queue", async (t) => {
  const lab = await startLab(t, beam), page = await openPage(t, browser, lab.address);
  const earlier = crowding(), client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const used = async () => 1000 * (await client.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration").value;
  await page.evaluate(() => {
    const m = window.lab.measured;
    m.latencies.length = m.shown.length = m.server.length = m.processor.length = m.underWay = 0;
  });
  const before = await used();
  const result = await page.evaluate(async () => {
    const slider = document.querySelector('.knob[data-path="contacts.tip.law.limit"] input[type=range]');
    const m = window.lab.measured, asked = m.asked, drawn = m.drawn, begin = performance.now();
    for (let i = 0; i < 150; i++) {
      slider.value = String(0.3 + 0.004 * i);
      slider.dispatchEvent(new Event("input"));
      await new Promise((done) => setTimeout(done, Math.max(0, begin + ((i + 1) * 1000) / 30 - performance.now())));
    }
    return { ...m, asked: m.asked - asked, drawn: m.drawn - drawn, seconds: (performance.now() - begin) / 1000 };
  });
  const drawing = (await used() - before) / Math.max(1, result.drawn), busy = Math.max(earlier, crowding());
  await until(page, () => Math.abs(window.lab.state.motion.contacts[0].limit - 0.896) < 1e-12); // the last move is the picture
  const p95 = share(result.shown, 0.95), computing = share(result.processor, 0.95);
  console.log(`${result.drawn} of 150 moves drawn in ${result.seconds.toFixed(2)} s; from a move to its picture: drawn median ${share(result.latencies, 0.5).toFixed(1)}, 95 % ${share(result.latencies, 0.95).toFixed(1)} ms; on the screen median ${share(result.shown, 0.5).toFixed(1)}, 95 % ${p95.toFixed(1)} ms; ` +
    `server: median ${share(result.server, 0.5).toFixed(1)} ms; processor time: server 95 % ${computing.toFixed(1)} ms, page ${drawing.toFixed(1)} ms a picture; machine busy by ${busy.toFixed(2)}`);
  assert.ok(result.underWay <= 2, `no queue grows: ${result.underWay} under way`);
  assert.ok(computing + drawing < 30, `processor time of a move: ${computing + drawing} ms`);
  if (busy > 4) console.log("the machine is too busy for wall time: only processor time and the queue were judged");
  assert.ok(busy > 4 || p95 < 50 * busy, `95 %: ${p95} ms`);
  assert.ok(busy > 4 || (result.seconds < 5.5 * busy && result.drawn >= 140 / busy), "30 moves a second, each drawn where the machine is free");
});
