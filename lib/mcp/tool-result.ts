import type { CallToolResult } from "@modelcontextprotocol/server";
import { textDepth } from "#lib/engine/json.ts";
import type { AppError } from "#lib/errors.ts";
import type { FlowRun } from "./port.ts";

/** Of one result: what an assistant can read at once. */
export const resultCharactersMax = 65_536;
/** Deeper values are shown as text only. */
const levelsMax = 64;
const detailsMax = 50;

/** A text that may have to be cut, with a word on how to ask for less. */
export function textResult(
  { text, isCut = false }: { readonly text: string; readonly isCut?: boolean },
  less: string,
): CallToolResult {
  if (!isCut && text.length <= resultCharactersMax) return { content: [{ type: "text", text }] };
  const kept = text.slice(0, resultCharactersMax).toWellFormed();
  return {
    content: [{ type: "text", text: `${kept}\n\n[Cut: the result has more than ${kept.length} characters. ${less}]` }],
  };
}

/** What a flow answered; its failure with the execution's id, by which it can be explained. */
export function flowResult({ executionId, status, output, error }: FlowRun): CallToolResult {
  if (status === "running") {
    return textResult(
      { text: `The run ${executionId} is still in progress. Call millrace_explain_run for its result.` },
      "",
    );
  }
  if (status !== "completed" || output === null) {
    const at = error?.nodeId === null || error === null ? "" : ` at the node "${error.nodeId}"`;
    const why = error === null ? `The run is ${status}` : `${error.code}${at}: ${error.message}`;
    return failure(`${why}\nThe execution is ${executionId}: millrace_explain_run tells more.`);
  }
  const result = textResult({ text: output.json }, `The execution ${executionId} has the whole of it.`);
  if (output.json.length > resultCharactersMax || textDepth(output.json, levelsMax) > levelsMax) return result;
  return { ...result, structuredContent: { output: JSON.parse(output.json), executionId } };
}

/** A refusal in words: the code, the message, and each field that is wrong. */
export function refusalResult(error: AppError): CallToolResult {
  const details = Object.entries(error.details ?? {});
  const lines = details
    .slice(0, detailsMax)
    .map(([path, why]) => `- ${path}: ${typeof why === "string" ? why : JSON.stringify(why)}`);
  const more = details.length > detailsMax ? [`- and ${details.length - detailsMax} more`] : [];
  return failure([`${error.code}: ${error.message}`, ...lines, ...more].join("\n"));
}

export function failure(text: string): CallToolResult {
  return { ...textResult({ text: text.toWellFormed() }, ""), isError: true };
}
