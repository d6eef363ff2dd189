// case.mjs -- what the tests share: the command `judder lab` and Debian's Chromium, each started anew and ended.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
export const judder = process.env.JD_COMMAND ?? join(root, "build/judder");
export const beam = join(root, "gallery/friction-beam/rayleigh.yaml");

/** The server; `address` is where its page is. */
export async function startLab(...args) {
  const began = performance.now();
  const child = spawn(judder, ["lab", "--no-browser", "--json", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stderr.on("data", (d) => (errors += d));
  const address = await new Promise((done, fail) => {
    child.stdout.once("data", (d) => done(JSON.parse(d).address));
    child.once("exit", () => fail(new Error(`judder lab ended: ${errors}`)));
  });
  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))[1]) / 1024;
  const end = () => new Promise((done) => {
    child.once("exit", (code) => done({ code, errors }));
    child.kill("SIGINT");
  });
  return { address, began, memory, end, pid: child.pid };
}

export async function startBrowser() {
  const folder = mkdtempSync(join(tmpdir(), "judder-lab-test-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    acceptDownloads: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--autoplay-policy=no-user-gesture-required"],
    viewport: { width: 1280, height: 800 },
  });
  const end = async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { context, end };
}

/** Waits until fn(arg) holds in the page; asked from outside, as the page's own policy allows no evaluated text. */
export async function until(page, fn, arg, seconds = 30) {
  const end = performance.now() + 1000 * seconds;
  while (!(await page.evaluate(fn, arg))) {
    if (performance.now() > end) throw new Error(`not within ${seconds} s: ${fn}`);
    await new Promise((done) => setTimeout(done, 15));
  }
}

/** A page of the lab with its first picture drawn; complaints of the browser are kept. */
export async function openPage(context, address, options = {}) {
  const page = await context.newPage();
  page.complaints = [];
  page.on("console", (m) => m.type() === "error" && page.complaints.push(m.text()));
  page.on("pageerror", (e) => page.complaints.push(String(e)));
  page.on("request", (r) => !r.url().startsWith(address) && !r.url().startsWith("blob:") && page.complaints.push(`asked for ${r.url()}`));
  if (options.size) await page.setViewportSize(options.size);
  if (options.dark) await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(address);
  if (options.wait !== false) await until(page, () => Number(document.documentElement.dataset.drawn ?? 0) > 0);
  return page;
}

/** Waits for a picture that was asked for from now on. */
export async function afterPicture(page, act) {
  const before = await page.evaluate(() => window.lab.measured.drawn);
  await act();
  await until(page, (n) => window.lab.measured.drawn > n, before);
}
