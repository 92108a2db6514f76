// An agent's state, derived purely from its steps, so that every process that resumes it continues in the same way.

import type { UsageWithCost } from "./ask.ts";
import type { AnswerPart, ModelMessage, ToolCall, ToolResult } from "./model-request.ts";
import type { AgentTool } from "./tools/tool-config.ts";

/** The tool with which a model gives an answer with a schema. */
export const answerTool = "final_answer";

/** A request to the model. `results`: answers to calls that were not performed. `repair`: the next message. */
export interface ModelStep {
  readonly kind: "model";
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly parts: readonly AnswerPart[];
  readonly results: readonly ToolResult[];
  readonly repair: string | null;
  readonly object: unknown;
  /** For this request alone. */
  readonly usage: UsageWithCost;
}

/** A person's decision on a call. */
export interface ApprovalStep {
  readonly kind: "approval";
  readonly call: ToolCall;
  readonly isApproved: boolean;
  readonly note: string | null;
}

export interface ToolStep {
  readonly kind: "tool";
  readonly call: ToolCall;
  readonly output: unknown;
}

export type AgentStep = ModelStep | ApprovalStep | ToolStep;

/** What comes next: a request, or a call, which may need approval first. */
export type NextStep =
  | { readonly kind: "model" }
  | { readonly kind: "approval" | "tool"; readonly call: ToolCall; readonly tool: AgentTool };

/** Decides the next step from the steps so far. */
export function nextStep(
  steps: readonly AgentStep[],
  tools: readonly AgentTool[],
  approval: readonly string[],
): NextStep {
  const at = steps.findLastIndex(({ kind }) => kind === "model");
  const request = steps[at];
  if (request?.kind !== "model") return { kind: "model" };
  const done = new Set([...request.results.map(({ id }) => id), ...resultsAfter(steps, at).map(({ id }) => id)]);
  for (const call of request.calls) {
    const tool = tools.find(({ name }) => name === call.name);
    if (done.has(call.id) || tool === undefined) continue;
    const isAllowed = steps.slice(at).some((step) => step.kind === "approval" && step.call.id === call.id);
    return { kind: approval.includes(call.name) && !isAllowed ? "approval" : "tool", call, tool };
  }
  return { kind: "model" };
}

/** The results so far of the calls in the request at this index. */
function resultsAfter(steps: readonly AgentStep[], at: number): ToolResult[] {
  const results: ToolResult[] = [];
  for (const step of steps.slice(at + 1)) {
    if (step.kind === "model") break;
    const { id, name } = step.call;
    if (step.kind === "tool") results.push({ id, name, output: step.output });
    else if (!step.isApproved) {
      const note = step.note === null ? "" : ` They said: ${step.note}`;
      results.push({ id, name, output: `A person refused this call: it was not done.${note}` });
    }
  }
  return results;
}

/** The conversation so far, as sent to the model. */
export function conversationOf(first: readonly ModelMessage[], steps: readonly AgentStep[]): ModelMessage[] {
  const messages = [...first];
  for (const [index, step] of steps.entries()) {
    if (step.kind !== "model") continue;
    messages.push({ role: "assistant", parts: step.parts.length > 0 ? step.parts : [{ type: "text", text: "…" }] });
    const known = [...step.results, ...resultsAfter(steps, index)];
    // In the order of the calls: some servers require it.
    const results = step.calls.flatMap(({ id }) => known.find((result) => result.id === id) ?? []);
    if (results.length > 0) messages.push({ role: "tool", results });
    if (step.repair !== null) messages.push({ role: "user", text: step.repair });
  }
  return messages;
}

/** The tokens of all requests. */
export function spentIn(steps: readonly AgentStep[]): UsageWithCost {
  const all = steps.flatMap((step) => (step.kind === "model" ? [step.usage] : []));
  const sum = (of: (usage: UsageWithCost) => number) => all.reduce((total, usage) => total + of(usage), 0);
  const usage = {
    inputTokens: sum((usage) => usage.inputTokens),
    outputTokens: sum((usage) => usage.outputTokens),
    totalTokens: sum((usage) => usage.totalTokens),
  };
  const isPriced = all.some(({ cost }) => cost !== undefined);
  return isPriced ? { ...usage, cost: Number(sum((usage) => usage.cost ?? 0).toFixed(10)) } : usage;
}

/** The agent's result, from all of its steps: the last has the answer. */
export function outputOfSteps(steps: readonly AgentStep[]) {
  const last = steps.findLast((step) => step.kind === "model");
  return {
    text: last?.text ?? "",
    object: last?.object ?? null,
    steps: steps.map((step) =>
      step.kind === "model" ? { kind: step.kind, text: step.text, calls: step.calls, usage: step.usage } : step,
    ),
    usage: spentIn(steps),
  };
}
