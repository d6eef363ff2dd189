// ends.test.mjs -- tests that fail, hang or are killed end all the same, and leave no server behind.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "./case.mjs";

const file = join(dirname(fileURLToPath(import.meta.url)), "fails.mjs");
const gone = async (pid) => {
  while (existsSync(`/proc/${pid}`)) await new Promise((done) => setTimeout(done, 20)); // else the limit of the test ends it
};

for (const [how, killed, servers] of [["fail and hang", "", 3], ["are killed", "yes", 1]])
  test(`tests that ${how} end, and so do their servers`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "judder-lab-ends-")); // what a killed browser leaves
    const { NODE_TEST_CONTEXT: _, ...environment } = process.env; // a run of its own, not a part of this one
    const child = spawn(process.execPath, ["--test", file], { stdio: ["ignore", "pipe", "inherit"], env: { ...environment, JUDDER_LAB_KILLED: killed, TMPDIR: folder } });
    let told = "";
    child.stdout.on("data", (d) => (told += d));
    const code = await new Promise((done) => child.once("close", done));
    const pids = [...told.matchAll(/server (\d+)/g)].map((m) => m[1]);
    assert.equal(code, 1, told);
    assert.equal(pids.length, servers, told);
    for (const pid of pids) await gone(pid);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  });
