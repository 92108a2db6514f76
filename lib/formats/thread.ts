// The process that converts, checks and parses, one task after the other.
import type { ValueCheck } from "./check-value.ts";
import { convertInThread } from "./convert-here.ts";
import type { Conversion, Converted } from "./formats.ts";
import type { MailReading } from "./mail.ts";

type Task = Conversion | ValueCheck | MailReading;

async function perform(task: Task): Promise<Converted> {
  if ("options" in task) return await convertInThread(task);
  if ("mail" in task) return await (await import("./read-mail.ts")).readMailInThread(task);
  return (await import("./check-value.ts")).checkInThread(task);
}

process.send?.("ready");
process.on("message", async (task: Task) => process.send?.(await perform(task)));
