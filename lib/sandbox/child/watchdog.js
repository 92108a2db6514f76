// A thread beside the evaluating one. When the server dies, the main thread notices only when it is idle; if it is
// stuck inside the engine, this thread keeps it from burning CPU forever. Plain JavaScript, so that the thread need not
// load the type stripper.
import { workerData } from "node:worker_threads";

const everyMs = 500;

setInterval(() => {
  if (process.ppid !== workerData.serverPid) process.kill(process.pid, "SIGKILL");
}, everyMs);
