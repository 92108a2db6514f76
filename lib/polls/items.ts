import { hash } from "node:crypto";
import { NodeFailure } from "#lib/nodes/define.ts";

/** An item that a poll found. */
export interface PolledItem {
  /** A hash of what identifies it. */
  readonly key: string;
  /** A hash of its content; null if changes do not count. */
  readonly content: string | null;
  /** The input of its run. */
  body(): unknown;
}

/** The result of a poll; null if the server says that nothing has changed. */
export interface PollResult {
  readonly items: readonly PolledItem[];
  /** The server's validators of its answer, for the next poll. */
  readonly validators: string | null;
}

/** A poll's room for its answer: only a few large ones are in memory at once. */
export interface AnswerRoom {
  /** Resolves once there is room for so many bytes, in place of what the poll held before. Throws NodeFailure. */
  hold(bytes: number): Promise<void>;
  release(): void;
}

/** More items than this are too many to poll repeatedly. */
export const itemsMax = 100_000;

/** A poll's failure, with a message for people. */
export function pollFailure(message: string, field?: string): NodeFailure {
  return new NodeFailure("POLL_FAILED", message, field === undefined ? {} : { field });
}

const hashCharacters = 22;

/** 132 bits of a SHA-256 of the text. */
export function hashText(text: string): string {
  return hash("sha256", text, "base64url").slice(0, hashCharacters);
}

/** Drops items with repeated keys: one item starts one run, however often an answer has it. */
export function withoutRepetitions(items: readonly PolledItem[]): PolledItem[] {
  const byKey = new Map<string, PolledItem>();
  for (const item of items) if (!byKey.has(item.key)) byKey.set(item.key, item);
  return [...byKey.values()];
}
