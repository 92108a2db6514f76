import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { isHeldUnseen, silentMsMax, tryLock } from "../../scripts/lock.mjs";

/** Takes the lock repeatedly, fails if it is not alone in it, and is sometimes killed while holding it. */
const contender = `
  import { appendFileSync, rmSync, writeFileSync } from "node:fs";
  import { takeLock } from ${JSON.stringify(resolve("scripts/lock.mjs"))};
  const [place, mortal] = process.argv.slice(1);
  for (let turn = 0; turn < 20; turn++) {
    const release = await takeLock(place + "/lock");
    writeFileSync(place + "/inside", "", { flag: "wx" });
    appendFileSync(place + "/turns", "x");
    rmSync(place + "/inside");
    if (mortal && Math.random() < 0.1) process.kill(process.pid, "SIGKILL");
    release();
    await new Promise((done) => setTimeout(done, Math.random() * 5));
  }
`;

function contend(place: string, mortal: boolean): Promise<string> {
  return new Promise((done) => {
    const args = ["--input-type=module", "-e", contender, place, ...(mortal ? ["mortal"] : [])];
    execFile(process.execPath, args, (error, _stdout, stderr) => done(error?.signal === "SIGKILL" ? "" : stderr));
  });
}

test("a lock has one holder at a time, and is passed on when its holder is killed", async () => {
  const place = mkdtempSync(join(tmpdir(), "lock-"));
  const failures = await Promise.all([false, false, true, true, true].map((mortal) => contend(place, mortal)));
  expect(failures.join("")).toBe("");
  expect(readFileSync(join(place, "turns"), "utf8").length).toBeGreaterThanOrEqual(40);
});

test("a lock that this process holds is not taken twice, and is free when released", () => {
  const place = join(mkdtempSync(join(tmpdir(), "lock-")), "lock");
  const release = tryLock(place);
  expect(release).toBeTypeOf("function");
  expect(tryLock(place)).toBeUndefined();
  release?.();
  tryLock(place)?.();
  expect(tryLock(place)).toBeTypeOf("function");
});

test("a lock held in another container is free once its holder has been silent for long", async () => {
  const place = join(mkdtempSync(join(tmpdir(), "lock-")), "lock");
  mkdirSync(place);
  // The id, and even the start, may be those of a process here.
  const theirs = join(place, "1");
  writeFileSync(theirs, `${process.pid} another-boot 1\nanother-boot pid:[1]`);
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  for (let renewals = 1; renewals <= 3; renewals += 1) {
    // By their clock.
    utimesSync(theirs, renewals, renewals);
    expect(tryLock(place)).toBeUndefined();
    expect(isHeldUnseen(place)).toBe(true);
    vi.advanceTimersByTime(silentMsMax - 1);
    expect(tryLock(place)).toBeUndefined();
  }
  vi.advanceTimersByTime(1);
  const release = tryLock(place);
  expect(release).toBeTypeOf("function");
  vi.useRealTimers();
  // Others are shown that this process lives.
  utimesSync(join(place, "2"), 0, 0);
  await vi.waitFor(() => expect(statSync(join(place, "2")).mtimeMs).toBeGreaterThan(0), 10_000);
  release?.();
  tryLock(place)?.();
});

test("a lock of an earlier version, which is seen, is held by its process", () => {
  const place = join(mkdtempSync(join(tmpdir(), "lock-")), "lock");
  const release = tryLock(place);
  const [identity = ""] = readFileSync(join(place, "1"), "utf8").split("\n");
  writeFileSync(join(place, "1"), identity);
  expect(tryLock(place)).toBeUndefined();
  writeFileSync(join(place, "1"), identity.replace(/\d+$/, "1"));
  expect(tryLock(place)).toBeTypeOf("function");
  release?.();
});
