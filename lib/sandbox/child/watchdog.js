// A thread beside the evaluating one. When the server goes away the main thread learns of it as soon as it is idle;
// stuck inside the engine it never is, and this is what keeps it from burning CPU for ever. Plain JavaScript, so that
// the thread need not load the type stripper.
import { workerData } from "node:worker_threads";

const everyMs = 500;

setInterval(() => {
  if (process.ppid !== workerData.serverPid) process.kill(process.pid, "SIGKILL");
}, everyMs);
