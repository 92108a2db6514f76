import type { JsonObject } from "#lib/engine/json.ts";
import type { NodeCredential } from "#lib/nodes/define.ts";
import type { FileReference } from "#lib/nodes/files/file-access.ts";
import type { RetryPolicy } from "#lib/nodes/retries/retry-policy.ts";

/** What a model asks to be done: a tool by its name, and what it is given. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** What a model wrote, part by part. `kept`: what its server wants back with the part in the next request. */
export type AnswerPart =
  | { readonly type: "text" | "reasoning"; readonly text: string; readonly kept?: JsonObject }
  | (ToolCall & { readonly type: "tool-call"; readonly kept?: JsonObject });

/** What became of a call: JSON. */
export interface ToolResult {
  readonly id: string;
  readonly name: string;
  readonly output: unknown;
}

/** A turn of a conversation. */
export type ModelMessage =
  | { readonly role: "user"; readonly text: string; readonly files?: readonly FileReference[] }
  | { readonly role: "assistant"; readonly parts: readonly AnswerPart[] }
  | { readonly role: "tool"; readonly results: readonly ToolResult[] };

/** A tool as described to a model; `input` is a JSON Schema of an object. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
}

/** A question to a model: everything that it is sent. */
export interface ModelRequest {
  readonly credential: NodeCredential;
  readonly model: string;
  readonly system?: string | undefined;
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly ModelTool[];
  /** A JSON Schema of an object that the answer is to be. */
  readonly schema?: JsonObject | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
}

/** Tokens; a server that does not count them says nothing, which is 0. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

export const finishReasons = ["stop", "length", "content-filter", "tool-calls", "error", "other"] as const;
/** Why a model stopped: it had said everything, or `maxTokens`, or its server does not let it. */
export type FinishReason = (typeof finishReasons)[number];

export interface ModelAnswer {
  readonly parts: readonly AnswerPart[];
  readonly usage: ModelUsage;
  readonly finishReason: FinishReason;
}

/** All that a model said, without what it thought and what it asked for. */
export function textOf(parts: readonly AnswerPart[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}
