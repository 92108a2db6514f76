// Loaded into the server under test (`--import`), tells how long its event loop stood still: the longest delay that
// `monitorEventLoopDelay` saw, and the most CPU time that the thread spent between two turns of a timer. On a machine
// with other work the first has that in it, too; the second has not.
import { createServer } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";

const everyMs = 5;
const port = Number(process.env.BENCH_LOOP_PORT);

if (port > 0 && /[\\/]scripts[\\/](start\.mjs|serve\.ts)$/.test(process.argv[1] ?? "")) watch();

function watch(): void {
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
    // After the timers of this turn, so that a stall which ended just now is in.
    setTimeout(() => {
      response.end(JSON.stringify({ stallMs: Math.max(0, delay.max / 1e6 - everyMs), cpuMs: cpuMsMax }));
      delay.reset();
      cpuMsMax = 0;
    }, 2 * everyMs);
  });
  server.listen(port, "127.0.0.1").unref();
}

/** Milliseconds of CPU that this thread has had. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
