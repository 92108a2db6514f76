import type { JsonObject } from "#lib/engine/json.ts";
import { type NodeContext, NodeFailure } from "#lib/nodes/define.ts";
import type { FileReference } from "#lib/nodes/files/file-access.ts";
import type { RetryPolicy } from "#lib/nodes/retries/retry-policy.ts";
import { checkText } from "./check-answer.ts";
import { type FinishReason, type ModelMessage, type ModelRequest, type ModelUsage, textOf } from "./model-request.ts";

/** The config of a node that asks a model. */
export interface Asking {
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
export type Spent = ModelUsage & { readonly cost?: number };

/** The first messages to a model: the config's conversation, with the files in its last message. */
export async function firstMessages(
  { prompt, messages, files = [] }: Asking,
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
  { credential, model, system, temperature, maxTokens, timeout, retry }: Asking,
  context: NodeContext,
): Promise<Omit<ModelRequest, "messages">> {
  return {
    credential: await context.credential(credential),
    ...{ model, system, temperature, maxTokens, timeoutMs: timeout, retry },
  };
}

/** A model's final answer. */
export interface Asked {
  readonly text: string;
  readonly object: unknown;
  readonly usage: Spent;
  readonly finishReason: FinishReason;
}

/**
 * Asks a model once. An answer that does not match its schema is sent back with the problem, up to `repairs` times.
 * Throws NodeFailure: MODEL_OUTPUT, MODEL_REFUSED, and what `generate` throws.
 */
export async function askOnce(asking: Asking, context: NodeContext): Promise<Asked> {
  const { output: schema, repairs, pricePerMillion } = asking;
  const settings = await settingsOf(asking, context);
  const messages = await firstMessages(asking, context);
  let usage: Spent = noUsage;
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
    if (isCut || repair >= repairs) throw unfit(checked.problem, isCut);
    context.log(
      "warning",
      `The answer does not fit the schema: ${checked.problem}. Repair ${repair + 1} of ${repairs}`,
    );
    messages.push({ role: "assistant", parts: text === "" ? [{ type: "text", text: "(no answer)" }] : parts });
    messages.push({ role: "user", text: repairPrompt(checked.problem) });
  }
}

const noUsage: Spent = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/** Adds the tokens of a request, and their cost. */
export function addUsage(before: Spent, more: ModelUsage, prices: Prices | undefined): Spent {
  const inputTokens = before.inputTokens + more.inputTokens;
  const outputTokens = before.outputTokens + more.outputTokens;
  const usage = { inputTokens, outputTokens, totalTokens: before.totalTokens + more.totalTokens };
  if (prices === undefined) return usage;
  const cost = (inputTokens * prices.input + outputTokens * prices.output) / 1_000_000;
  // Enough digits for a token of the cheapest model, without floating-point noise.
  return { ...usage, cost: Number(cost.toFixed(10)) };
}

export function repairPrompt(problem: string): string {
  return `That does not fit the JSON Schema: ${problem}. Answer again, with the JSON object alone.`;
}

function unfit(problem: string, isCut: boolean): NodeFailure {
  const why = isCut ? "it was cut off at maxTokens" : problem;
  return new NodeFailure("MODEL_OUTPUT", `The answer does not fit the schema: ${why}`, { field: "output" });
}
