import type { JsonObject } from "#lib/engine/json.ts";
import type { NodeCredential } from "#lib/nodes/define.ts";
import type { FileReference } from "#lib/nodes/files/file-access.ts";
import type { RetryPolicy } from "#lib/nodes/retries/retry-policy.ts";

/** A model's call of a tool, with its input. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** A part of a model's answer. `kept`: data that its server wants back in the next request. */
export type AnswerPart =
  | { readonly type: "text" | "reasoning"; readonly text: string; readonly kept?: JsonObject }
  | (ToolCall & { readonly type: "tool-call"; readonly kept?: JsonObject });

/** A call's result, as JSON. */
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

/** A request to a model. */
export interface ModelRequest {
  readonly credential: NodeCredential;
  readonly model: string;
  readonly system?: string | undefined;
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly ModelTool[];
  /** A JSON Schema of an object that the answer must match. */
  readonly schema?: JsonObject | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
}

/** Tokens; 0 if the server does not count them. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

export const finishReasons = ["stop", "length", "content-filter", "tool-calls", "error", "other"] as const;
/** Why a model stopped: it had finished, reached `maxTokens`, or was refused by its server. */
export type FinishReason = (typeof finishReasons)[number];

export interface ModelAnswer {
  readonly parts: readonly AnswerPart[];
  readonly usage: ModelUsage;
  readonly finishReason: FinishReason;
}

/** A model's text, without its reasoning and tool calls. */
export function textOf(parts: readonly AnswerPart[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}
