import type { JsonObject } from "#lib/engine/json.ts";
import { type NodeContext, NodeFailure } from "#lib/nodes/define.ts";
import type { FileReference } from "#lib/nodes/files/file-access.ts";
import type { RetryPolicy } from "#lib/nodes/retries/retry-policy.ts";
import { checkText } from "./check-answer.ts";
import { type FinishReason, type ModelMessage, type ModelRequest, type ModelUsage, textOf } from "./model-request.ts";

/** The config of a node that asks a model. */
export interface ModelOptions {
  readonly credential: string;
  readonly model: string;
  readonly system?: string | undefined;
  readonly prompt?: string | undefined;
  readonly messages?: readonly { readonly role: "user" | "assistant"; readonly content: string }[] | undefined;
  readonly files?: readonly unknown[] | undefined;
  readonly output?: JsonObject | undefined;
  readonly repairs: number;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly timeout: number;
  readonly retry: RetryPolicy;
  readonly pricePerMillion?: Prices | undefined;
}

export interface Prices {
  readonly input: number;
  readonly output: number;
}

/** Tokens, and their cost if the price is known. */
export type UsageWithCost = ModelUsage & { readonly cost?: number };

/** The first messages to a model: the config's conversation, with the files in its last message. */
export async function firstMessages(
  { prompt, messages, files = [] }: ModelOptions,
  context: NodeContext,
): Promise<ModelMessage[]> {
  const given = messages ?? [{ role: "user" as const, content: prompt ?? "" }];
  const found: FileReference[] = [];
  for (const file of files) found.push(await context.files.find(file));
  return given.map(({ role, content }, index) => {
    if (role === "assistant") return { role, parts: [{ type: "text", text: content }] };
    return { role, text: content, ...(index === given.length - 1 && found.length > 0 ? { files: found } : {}) };
  });
}

/** The settings shared by all requests of a node. */
export async function settingsOf(
  { credential, model, system, temperature, maxTokens, timeout, retry }: ModelOptions,
  context: NodeContext,
): Promise<Omit<ModelRequest, "messages">> {
  return {
    credential: await context.credential(credential),
    ...{ model, system, temperature, maxTokens, timeoutMs: timeout, retry },
  };
}

/** A model's final answer. */
export interface ModelAnswered {
  readonly text: string;
  readonly object: unknown;
  readonly usage: UsageWithCost;
  readonly finishReason: FinishReason;
}

/**
 * Asks a model once. An answer that does not match its schema is sent back with the problem, up to `repairs` times.
 * Throws NodeFailure: MODEL_OUTPUT, MODEL_REFUSED, and what `generate` throws.
 */
export async function askModelOnce(options: ModelOptions, context: NodeContext): Promise<ModelAnswered> {
  const { output: schema, repairs, pricePerMillion } = options;
  const settings = await settingsOf(options, context);
  const messages = await firstMessages(options, context);
  let usage: UsageWithCost = noUsage;
  for (let repair = 0; ; repair += 1) {
    const answer = await context.generate({ ...settings, messages, schema });
    usage = addUsage(usage, answer.usage, pricePerMillion);
    const { parts, finishReason } = answer;
    const text = textOf(parts);
    if (schema === undefined) return { text, object: null, usage, finishReason };
    const checked = await checkText(text, schema, context);
    if ("object" in checked) return { text, object: checked.object, usage, finishReason };
    if (finishReason === "content-filter")
      throw new NodeFailure("MODEL_REFUSED", "The model's server refuses to answer");
    const isCut = finishReason === "length";
    if (isCut || repair >= repairs) throw invalidAnswer(checked.problem, isCut);
    context.log(
      "warning",
      `The answer does not fit the schema: ${checked.problem}. Repair ${repair + 1} of ${repairs}`,
    );
    messages.push({ role: "assistant", parts: text === "" ? [{ type: "text", text: "(no answer)" }] : parts });
    messages.push({ role: "user", text: repairPrompt(checked.problem) });
  }
}

export const noUsage: UsageWithCost = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/** Adds the tokens of a request, and their cost. */
export function addUsage(before: UsageWithCost, added: ModelUsage, prices: Prices | undefined): UsageWithCost {
  const inputTokens = before.inputTokens + added.inputTokens;
  const outputTokens = before.outputTokens + added.outputTokens;
  const usage = { inputTokens, outputTokens, totalTokens: before.totalTokens + added.totalTokens };
  if (prices === undefined) return usage;
  const cost = (inputTokens * prices.input + outputTokens * prices.output) / 1_000_000;
  // Enough digits for a token of the cheapest model, without floating-point noise.
  return { ...usage, cost: Number(cost.toFixed(10)) };
}

export function repairPrompt(problem: string): string {
  return `That does not fit the JSON Schema: ${problem}. Answer again, with the JSON object alone.`;
}

function invalidAnswer(problem: string, isCut: boolean): NodeFailure {
  const reason = isCut ? "it was cut off at maxTokens" : problem;
  return new NodeFailure("MODEL_OUTPUT", `The answer does not fit the schema: ${reason}`, { field: "output" });
}
