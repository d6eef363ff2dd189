// case.mjs -- what the tests share: the command `judder lab` and Debian's Chromium, each started anew and ended.
//   Nothing outlives its test: servers and pages belong to the test that starts them and are ended after it, however it
//   ends; the system ends a server whose test process is gone (setpriv --pdeathsig); every test has a time limit, which
//   only something that hangs reaches: nothing is judged by the clock, as others may use the machine.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test as plain } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
export const judder = process.env.JD_COMMAND ?? join(root, "build/judder");
export const beam = join(root, "gallery/friction-beam/rayleigh.yaml");
const PATIENCE = 120; // [s] for one step of a test, 20 times what it takes on a machine of its own

const servers = new Set(), browsers = new Set();
after(async () => {
  const limit = setTimeout(() => process.exit(1), 60000);
  for (const child of servers) child.kill("SIGKILL");
  for (const end of browsers) await end();
  clearTimeout(limit);
  setTimeout(() => process.exit(1), 10000).unref(); // a test that was cut off still waits for something: it is not waited for
});

/** A test with a limit of its own; what it was given to end is ended also where it fails or is cut off. */
export function test(name, body, seconds = 300) {
  plain(name, { timeout: 1000 * seconds }, body);
}

/** The server; `address` is where its page is. `t`: the test it belongs to; null: the file. */
export async function startLab(t, ...args) {
  const began = performance.now();
  const child = spawn("setpriv", ["--pdeathsig", "KILL", judder, "lab", "--no-browser", "--json", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  servers.add(child);
  let errors = "";
  child.stderr.on("data", (d) => (errors += d));
  const ended = new Promise((done) => child.once("close", (code) => done({ code, errors })));
  void ended.then(() => servers.delete(child));
  t?.after(() => child.kill("SIGKILL"));
  const address = await new Promise((done, fail) => {
    child.stdout.once("data", (d) => done(JSON.parse(d).address));
    child.once("error", fail);
    void ended.then(() => fail(new Error(`judder lab ended: ${errors}`)));
  });
  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))[1]) / 1024;
  const end = () => {
    child.kill("SIGINT");
    return ended;
  };
  return { address, began, memory, end, pid: child.pid };
}

/** The browser; it is closed after the tests of the file. */
export async function startBrowser() {
  const folder = mkdtempSync(join(tmpdir(), "judder-lab-test-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    acceptDownloads: true,
    timeout: 1000 * PATIENCE,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--autoplay-policy=no-user-gesture-required"],
    viewport: { width: 1280, height: 800 },
  });
  context.setDefaultTimeout(1000 * PATIENCE);
  browsers.add(async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return context;
}

/** Waits until fn(arg) holds in the page; asked from outside, as the page's own policy allows no evaluated text. */
export async function until(page, fn, arg, seconds = PATIENCE) {
  const end = performance.now() + 1000 * seconds;
  while (!(await page.evaluate(fn, arg))) {
    if (performance.now() > end) throw new Error(`not within ${seconds} s: ${fn}`);
    await new Promise((done) => setTimeout(done, 15));
  }
}

/** A page of the lab with its first picture drawn; complaints of the browser are kept. */
export async function openPage(t, context, address, options = {}) {
  const page = await context.newPage();
  t?.after(() => page.close());
  page.complaints = [];
  page.on("console", (m) => m.type() === "error" && page.complaints.push(m.text()));
  page.on("pageerror", (e) => page.complaints.push(String(e)));
  page.on("request", (r) => !r.url().startsWith(address) && !r.url().startsWith("blob:") && page.complaints.push(`asked for ${r.url()}`));
  if (options.size) await page.setViewportSize(options.size);
  if (options.dark) await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(address);
  if (options.wait !== false) await until(page, () => window.lab.measured.drawn > 0 && window.lab.idle());
  return page;
}

/** Waits for the picture of a request that `act` caused, and until none is under way: an older one that comes late does not count. */
export async function afterPicture(page, act) {
  const before = await page.evaluate(() => window.lab.measured.last);
  await act();
  await until(page, (id) => (window.lab.state.motion?.id ?? 0) > id && window.lab.idle(), before);
}
