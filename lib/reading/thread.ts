// The worker thread that parses long sources.
import { parentPort } from "node:worker_threads";
import { type Expression, type ReadKind, type ReadText, readText } from "#lib/expressions/expressions.ts";

parentPort?.on("message", ({ kind, text }: { readonly kind: ReadKind; readonly text: string }) => {
  parentPort?.postMessage(sendable(readText(kind, text)));
});
parentPort?.postMessage("ready");

/** Without compiled programs: functions cannot be sent, and long sources are left to the sandbox. */
function sendable(read: ReadText): ReadText {
  const bare = (expression: Expression): Expression => ({ ...expression, program: null });
  if ("code" in read) return { code: bare(read.code) };
  if ("problem" in read) return read;
  const segments = read.template.segments.map((part) => (typeof part === "string" ? part : bare(part)));
  return { template: { ...read.template, segments } };
}
