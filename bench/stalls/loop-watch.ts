// Loaded into the server under test (`--import`); reports how long its event loop stalled: the longest delay seen by
// `monitorEventLoopDelay`, and the most CPU time that the thread spent between two turns of a timer. On a busy machine
// the first includes other load; the second does not.
import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";

const everyMs = 5;
const port = Number(process.env.BENCH_LOOP_PORT);

if (port > 0 && /[\\/]scripts[\\/](start\.mjs|serve\.ts)$/.test(process.argv[1] ?? "")) watch();

function watch(): void {
  if (process.env.BENCH_FIRST === "true") raisePriority();
  const delay = monitorEventLoopDelay({ resolution: everyMs });
  delay.enable();
  let before = cpuMs();
  let cpuMsMax = 0;
  setInterval(() => {
    const now = cpuMs();
    cpuMsMax = Math.max(cpuMsMax, now - before);
    before = now;
  }, everyMs).unref();
  const server = createServer((_, response) => {
    // After this turn's timers, so that a stall that has just ended is included.
    setTimeout(() => {
      response.end(JSON.stringify({ stallMs: Math.max(0, delay.max / 1e6 - everyMs), cpuMs: cpuMsMax }));
      delay.reset();
      cpuMsMax = 0;
    }, 2 * everyMs);
  });
  server.listen(port, "127.0.0.1").unref();
}

/** Gives this thread priority for a core, so that other work on the machine does not affect the figures. */
function raisePriority(): void {
  const { status, stderr } = spawnSync("chrt", ["--reset-on-fork", "--rr", "--pid", "1", String(process.pid)]);
  if (status !== 0) throw new Error(`BENCH_FIRST needs chrt and the right to use it: ${stderr}`);
}

/** Milliseconds of CPU time of this thread. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
