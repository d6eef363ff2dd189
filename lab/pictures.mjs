// pictures.mjs -- the pictures of docs/guide/lab.md: node lab/pictures.mjs, after `make lab`.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterPicture, beam, openPage, root, startBrowser, startLab, until } from "./test/case.mjs";

const folder = join(root, "docs/guide/lab");
mkdirSync(folder, { recursive: true });
const browser = await startBrowser();
const shot = (page, name) => page.screenshot({ path: join(folder, `${name}.png`) });

let lab = await startLab(null, beam);
let page = await openPage(null, browser, lab.address);
await afterPicture(page, () => page.locator('.knob[data-path="contacts.tip.law.limit"] input[type=range]').fill("0.5"));
await shot(page, "motion");
await page.getByRole("tab", { name: "Text" }).click();
const area = page.getByLabel("Text of the model");
await area.fill((await area.inputValue()).replace("limit: 0.66 N", "limt: 0.66 N"));
await until(page, () => !document.querySelector(".problem").hidden);
await page.screenshot({ path: join(folder, "text.png"), clip: { x: 280, y: 0, width: 660, height: 800 } });
await page.close();
page = await openPage(null, browser, lab.address, { size: { width: 390, height: 844 }, dark: true });
await shot(page, "narrow");
await page.close();
await lab.end();

lab = await startLab(null, join(root, "gallery/two-rods/harmonic20.yaml"));
page = await openPage(null, browser, lab.address);
await page.locator('[data-chart="velocity"] .u-over').hover();
await until(page, () => /of 152 cells/.test(document.querySelector(".shape .told").textContent));
await page.screenshot({ path: join(folder, "span.png"), clip: { x: 940, y: 56, width: 332, height: 292 } });
await page.close();
await lab.end();

for (const [model, name] of [["bowed-string/string", "line"], ["disc/small", "row"]]) {
  lab = await startLab(null, join(root, `gallery/${model}.yaml`));
  page = await openPage(null, browser, lab.address);
  await page.locator('[data-chart="velocity"] .u-over').hover({ position: { x: 33, y: 40 } });
  await page.locator(".panel.shape").screenshot({ path: join(folder, `${name}.png`) });
  await page.close();
  await lab.end();
}

lab = await startLab(null, join(root, "gallery/friction-beam/response.yaml"), "--set", "follow.to=1.5");
page = await openPage(null, browser, lab.address);
await page.getByRole("tab", { name: "Long view" }).click();
await page.getByRole("button", { name: /Follow the branch/ }).click();
await until(page, () => Number(document.querySelector(".longview").dataset.orbits) > 20);
const box = await page.locator(".longview canvas").boundingBox();
await afterPicture(page, () => page.mouse.click(box.x + 0.25 * box.width, box.y + 0.4 * box.height));
await shot(page, "branch");
await lab.end();
await browser.close();
