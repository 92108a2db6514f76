// A thread that reads long sources, so that the server's own need not.
import { parentPort } from "node:worker_threads";
import { type Expression, type ReadKind, type ReadText, readText } from "#lib/expressions/expressions.ts";

parentPort?.on("message", ({ kind, text }: { readonly kind: ReadKind; readonly text: string }) => {
  parentPort?.postMessage(sendable(readText(kind, text)));
});
parentPort?.postMessage("ready");

/** Without what is compiled for the server's thread: functions stay where they are, and long sources are for the sandbox. */
function sendable(read: ReadText): ReadText {
  const bare = (expression: Expression): Expression => ({ ...expression, program: null });
  if ("code" in read) return { code: bare(read.code) };
  if ("problem" in read) return read;
  const segments = read.template.segments.map((part) => (typeof part === "string" ? part : bare(part)));
  return { template: { ...read.template, segments } };
}
