// A thread that converts, checks and reads one thing after the other, to spare the server's own.
import { parentPort } from "node:worker_threads";
import type { ValueCheck } from "./check-value.ts";
import { convertHere } from "./convert-here.ts";
import type { Conversion } from "./formats.ts";
import type { MailReading } from "./mail.ts";

parentPort?.on("message", async (task: Conversion | ValueCheck | MailReading) => {
  if ("options" in task) parentPort?.postMessage(await convertHere(task));
  else if ("mail" in task) parentPort?.postMessage(await (await import("./read-mail.ts")).readMailHere(task));
  else parentPort?.postMessage((await import("./check-value.ts")).checkHere(task));
});
