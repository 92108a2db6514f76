// A thread that converts one value after the other, to spare the server's own.
import { parentPort } from "node:worker_threads";
import { convertHere } from "./convert-here.ts";
import type { Conversion } from "./formats.ts";

parentPort?.on("message", async (conversion: Conversion) => {
  parentPort?.postMessage(await convertHere(conversion));
});
