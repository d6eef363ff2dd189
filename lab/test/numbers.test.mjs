// numbers.test.mjs -- how small: the built page, and a large sweep. How fast: bench/times.test.mjs.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { openPage, root, startBrowser, startLab } from "./case.mjs";

let browser;
before(async () => (browser = await startBrowser()));
after(() => browser?.end());
test("the built page is below 500 kB compressed", () => {
  const folder = join(root, "build/lab");
  const all = readdirSync(folder, { recursive: true }).filter((f) => /\.\w+$/.test(f)).map((f) => gzipSync(readFileSync(join(folder, f))).length);
  const size = all.reduce((a, b) => a + b, 0);
  console.log(`page: ${(size / 1000).toFixed(1)} kB compressed`);
  assert.ok(size > 10000 && size < 500000, `${size} bytes`);
});

test("a sweep of 10 000 points streams within 300 MB of server and page", async () => {
  const points = Number(process.env.JUDDER_LAB_POINTS ?? 10000), side = Math.round(Math.sqrt(points));
  const lab = await startLab(join(root, "gallery/friction-beam/map.yaml"), "--set", `sweep.points=[${side}, ${side}]`);
  const page = await openPage(browser.context, lab.address);
  const client = await page.context().newCDPSession(page);
  await page.getByRole("tab", { name: "Long view" }).click();
  await page.getByRole("button", { name: /Compute the sweep/ }).click();
  let most = 0, heap = 0;
  const look = async () => {
    most = Math.max(most, lab.memory());
    heap = Math.max(heap, (await client.send("Runtime.getHeapUsage")).usedSize / 2 ** 20);
    await new Promise((done) => setTimeout(done, 200));
    return page.evaluate(() => document.querySelector(".longview").dataset.done);
  };
  const end = performance.now() + 600000;
  while (!(await look())) assert.ok(performance.now() < end, "the sweep ends");
  const backing = (await client.send("Runtime.getHeapUsage")).backingStorageSize ?? 0;
  console.log(`${side * side} points: server ${most.toFixed(0)} MB, page ${heap.toFixed(0)} MB of heap, ${(backing / 2 ** 20).toFixed(0)} MB of arrays`);
  assert.equal(await page.evaluate(() => document.querySelector(".longview").dataset.done), String(side * side));
  assert.ok(most < 300 && heap + backing / 2 ** 20 < 300);
  await page.screenshot({ path: join(root, "build/lab-map.png") });
  await page.close();
  await lab.end();
});
