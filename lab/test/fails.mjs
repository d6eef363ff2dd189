// fails.mjs -- tests that go wrong in every way, for ends.test.mjs: one fails, one never ends; with `killed` the process is killed.
import { beam, startBrowser, startLab, test } from "./case.mjs";

async function start(t) {
  const lab = await startLab(t, beam);
  console.log(`server ${lab.pid}`);
}
test("fails", async (t) => {
  await start(t);
  await startBrowser();
  if (process.env.JUDDER_LAB_KILLED) process.kill(process.pid, "SIGKILL");
  throw new Error("on purpose");
});
test("never ends", async (t) => {
  await start(t);
  await start(null);
  await new Promise((done) => setTimeout(done, 1e8));
}, 2);
