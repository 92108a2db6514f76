import { z } from "zod";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { lastHandle, plainHandle } from "#lib/engine/node-types.ts";
import { defineNode, type NodeBegun, type NodeContext, NodeFailure, type NodeResult } from "#lib/nodes/define.ts";
import { addUsage, type ModelOptions, noUsage, settingsOf } from "./ask.ts";
import { type Checked, checkText, checkValue } from "./check-answer.ts";
import { type AnswerPart, type ModelMessage, type ToolCall, type ToolResult, textOf } from "./model-request.ts";
import { type AgentStep, answerTool, conversationOf, type ModelStep, nextStep, spentIn } from "./steps.ts";
import { cutOutput, failureAsOutput, performTool } from "./tools/perform-tool.ts";
import type { AgentTool } from "./tools/tool-config.ts";

/** What an agent started with: its resolved config, the first messages, and its tools. */
export interface AgentSettings {
  readonly asking: Omit<ModelOptions, "prompt" | "messages" | "files">;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly AgentTool[];
  readonly approval: readonly string[];
  readonly approvalTimeoutMs: number | null;
  readonly maxSteps: number;
  readonly tokenBudget: number | null;
}

/** The maximum number of calls per answer; a model that asks for more gets an error. */
export const callsMax = 16;

/** One step of an agent: a request to its model, a tool call, or a person's approval of a call. */
export const agentStep = defineNode({
  type: "agent-step",
  isInternal: true,
  name: "Step of an agent",
  family: "action",
  icon: "robot",
  iconPath:
    "M6 6a2 2 0 0 1 2 -2h8a2 2 0 0 1 2 2v4a2 2 0 0 1 -2 2h-8a2 2 0 0 1 -2 -2l0 -4M12 2v2M9 12v9M15 12v9M5 16l4 -2M15 14l4 2M9 18h6M10 8v.01M14 8v.01",
  description: "The recorded steps of an `agent`. Example: its model is asked, then a tool is called.",
  effect: "wait",
  waitsFor: "call",
  acts: () => "write",
  showsRetries: true,
  handles: { ...plainHandle, fixed: [lastHandle] },
  config: z.object({}),
  example: {},
  run: async (_, context): Promise<NodeBegun> => {
    if (context.place === null) throw new NodeFailure("UNKNOWN_NODE_TYPE", "A step is a part of an agent");
    // Written by the node `agent`.
    const settings = context.place.item as AgentSettings;
    const steps = context.place.earlier as readonly AgentStep[];
    const next = nextStep(steps, settings.tools, settings.approval);
    if (next.kind === "model") return await askModel(settings, steps, context);
    const { call, tool } = next;
    if (next.kind === "approval") return requestApproval(settings, call, context);
    const performed = await performTool(tool, call.input, context);
    if ("output" in performed) return { output: { kind: "tool", call, output: cutOutput(performed.output) } };
    const { executionId } = performed;
    return { wait: { kind: "execution", until: null, state: { executionId, call } } };
  },
  resume: ({ state: { call, executionId } }, { by, value }): NodeResult => {
    const reply = isJsonObject(value) ? value : {};
    if (executionId === undefined) {
      const { action, note } = isJsonObject(reply.body) ? reply.body : {};
      const isApproved = by === "call" && action === "approve";
      const answer = by === "time" ? "nobody answered in time" : note;
      return { output: { kind: "approval", call, isApproved, note: typeof answer === "string" ? answer : null } };
    }
    const { status = "deleted", output = null, error = null } = reply;
    if (status === "completed") return { output: { kind: "tool", call, output: cutOutput(output) } };
    const message = `The flow ended as ${String(status)}${typeof error === "string" ? `: ${error}` : ""}`;
    return { output: { kind: "tool", call, output: failureAsOutput({ code: "SUB_FLOW_FAILED", message }) } };
  },
});

function requestApproval({ approvalTimeoutMs }: AgentSettings, call: ToolCall, context: NodeContext): NodeBegun {
  const shown = JSON.stringify(call.input, null, 2) ?? "";
  const form = {
    title: `May the agent use ${call.name}?`,
    description: shown.length > 4_000 ? `${shown.slice(0, 4_000).toWellFormed()}…` : shown,
    fields: [{ name: "note", label: "Note for the agent", type: "textarea" }],
    actions: [
      { id: "approve", label: "Approve" },
      { id: "refuse", label: "Refuse" },
    ],
  };
  const until = approvalTimeoutMs === null ? null : context.now() + approvalTimeoutMs;
  return { wait: { kind: "call", until, state: { form, call } } };
}

/** Asks the model once, and handles what needs no tool: an answer, a call of an unknown tool, invalid input. */
async function askModel(
  { asking, messages, tools, maxSteps, tokenBudget }: AgentSettings,
  steps: readonly AgentStep[],
  context: NodeContext,
): Promise<NodeResult> {
  const requests = steps.filter((step) => step.kind === "model");
  if (requests.length >= maxSteps) {
    throw new NodeFailure("AGENT_STEPS", `The agent asked its model ${maxSteps} times without an answer`);
  }
  const { output: schema } = asking;
  const conversation = conversationOf(messages, steps);
  const maxTokens = tokensLeft(asking.maxTokens, tokenBudget, steps, conversation);
  const { parts, usage, finishReason } = await context.generate({
    ...(await settingsOf({ ...asking, system: systemOf(asking) }, context)),
    messages: conversation,
    maxTokens,
    tools: schema === undefined ? tools : [...tools, answerToolOf(schema)],
  });
  const step = { parts, text: textOf(parts), usage: addUsage(noUsage, usage, asking.pricePerMillion) };
  const calls = callsOf(parts, steps.length);
  if (finishReason === "content-filter") throw new NodeFailure("MODEL_REFUSED", "The model's server refuses to answer");
  if (calls.length > 0)
    return await handleCalls({ ...step, ...renamed(parts, calls), calls }, { asking, tools, requests }, context);
  const isCut = finishReason === "length";
  if (isCut && maxTokens !== asking.maxTokens) throw overBudget(tokenBudget ?? 0);
  if (schema === undefined) return finalResult({ ...step, calls, results: [], repair: null, object: null });
  const checked = await checkText(step.text, schema, context);
  if ("object" in checked) return finalResult({ ...step, calls, results: [], repair: null, object: checked.object });
  requireRepair(asking, requests, checked.problem, isCut);
  const repair = `That is not the answer that was asked for: ${checked.problem}. Call ${answerTool}, or another tool.`;
  return { output: { kind: "model", ...step, calls, results: [], repair, object: null } satisfies ModelStep };
}

function systemOf({ system, output }: Pick<ModelOptions, "system" | "output">): string | undefined {
  if (output === undefined) return system;
  const instruction = `When you know the answer, call the tool ${answerTool} with it.`;
  return system === undefined ? instruction : `${system}\n\n${instruction}`;
}

function answerToolOf(schema: JsonObject) {
  return { name: answerTool, description: "Gives the answer, and ends the work.", input: schema };
}

/** Calls get our own ids: servers may send none, or duplicates. */
function callsOf(parts: readonly AnswerPart[], stepIndex: number): ToolCall[] {
  return parts
    .flatMap((part) => (part.type === "tool-call" ? [part] : []))
    .map(({ name, input }, index) => ({
      id: `call_${stepIndex}_${index}`,
      name,
      input,
    }));
}

function renamed(parts: readonly AnswerPart[], calls: readonly ToolCall[]): { readonly parts: readonly AnswerPart[] } {
  let index = 0;
  const next = () => calls[index++]?.id ?? "";
  return {
    parts: parts.map((part) =>
      // Servers expect an object back, even if they did not send one.
      part.type === "tool-call" ? { ...part, id: next(), input: isJsonObject(part.input) ? part.input : {} } : part,
    ),
  };
}

interface CallContext {
  readonly asking: AgentSettings["asking"];
  readonly tools: readonly AgentTool[];
  readonly requests: readonly AgentStep[];
}

async function handleCalls(
  step: Pick<ModelStep, "text" | "parts" | "usage" | "calls">,
  { asking, tools, requests }: CallContext,
  context: NodeContext,
): Promise<NodeResult> {
  const results: ToolResult[] = [];
  for (const [index, call] of step.calls.entries()) {
    const { id, name } = call;
    const isAnswer = name === answerTool && asking.output !== undefined;
    const schema = isAnswer ? asking.output : tools.find((tool) => tool.name === name)?.input;
    const refuse = (output: string) => results.push({ id, name, output });
    if (schema === undefined) refuse(`There is no tool named ${name}`);
    else if (index >= callsMax) refuse(`At most ${callsMax} calls at once: this one was not done`);
    else {
      const checked = await checkInput(call, schema, context);
      if ("problem" in checked)
        refuse(`The input does not fit the tool's schema: ${checked.problem}. It was not done.`);
      if ("problem" in checked && isAnswer) requireRepair(asking, requests, checked.problem, false);
      if ("object" in checked && isAnswer) {
        return finalResult({ ...step, results: [], repair: null, object: checked.object });
      }
    }
  }
  return { output: { kind: "model", ...step, results, repair: null, object: null } satisfies ModelStep };
}

async function checkInput({ input }: ToolCall, schema: JsonObject, context: NodeContext): Promise<Checked> {
  if (!isJsonObject(input)) return { problem: "it is not a JSON object" };
  return await checkValue(input, JSON.stringify(input), schema, context);
}

/** Throws NodeFailure if the repairs are used up. */
function requireRepair(
  { repairs }: Pick<ModelOptions, "repairs">,
  requests: readonly AgentStep[],
  problem: string,
  isCut: boolean,
) {
  const before = requests.filter(
    (step) => step.kind === "model" && (step.repair !== null || step.results.some(({ name }) => name === answerTool)),
  ).length;
  if (!isCut && before < repairs) return;
  const reason = isCut ? "it was cut off at maxTokens" : problem;
  throw new NodeFailure("MODEL_OUTPUT", `The answer does not fit the schema: ${reason}`, { field: "output" });
}

function finalResult(step: Omit<ModelStep, "kind">): NodeResult {
  return { output: { kind: "model", ...step } satisfies ModelStep, handle: lastHandle };
}

/** Characters per token: a low estimate, so that tokens are overestimated. */
const charactersOfToken = 3;

/**
 * How long the next answer may be, in tokens. The next request includes the last one and its answer; none is sent that
 * would exceed the budget. Throws NodeFailure.
 */
function tokensLeft(
  maxTokens: number | undefined,
  tokenBudget: number | null,
  steps: readonly AgentStep[],
  conversation: readonly ModelMessage[],
): number | undefined {
  if (tokenBudget === null) return maxTokens;
  const last = steps.findLast((step) => step.kind === "model");
  const since = last === undefined ? conversation : steps.slice(steps.indexOf(last) + 1);
  const ahead = (last?.usage.totalTokens ?? 0) + Math.ceil(JSON.stringify(since).length / charactersOfToken);
  const left = tokenBudget - spentIn(steps).totalTokens - ahead;
  if (left <= 0) throw overBudget(tokenBudget);
  return maxTokens === undefined ? left : Math.min(maxTokens, left);
}

function overBudget(tokenBudget: number): NodeFailure {
  return new NodeFailure("AGENT_BUDGET", `The next question would spend more than ${tokenBudget} tokens`);
}
