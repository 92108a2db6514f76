import { z } from "zod";
import type { Scope } from "#lib/access.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/**
 * How an answer is sent: as JSON in the envelope, as a page of a list, bare, or not at all (204); or event by event as
 * long as it lasts (`stream`).
 */
export type AnswerShape = "data" | "list" | "bare" | "empty" | "stream";

/** One operation of the API, described once: the wrapper, the client, the reference and the tests read this. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  readonly method: Method;
  /** Below `/api/v1`, with `:name` for a parameter. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** What a key or a member needs; null: being signed in is enough. */
  readonly scope: Scope | null;
  /** What it takes beside `scope` to set a flag of the query: what it adds to the answer is of another subject. */
  readonly flagScopes?: Readonly<Record<string, Scope>>;
  /** True where a key is refused: what is a person's own is not a workspace's. */
  readonly peopleOnly?: boolean;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** True where a flow's version is told as an `ETag`, and `If-Match` is heeded by what writes to a flow that is there. */
  readonly checksVersion?: boolean;
  /** False where an empty body is an empty object. */
  readonly bodyRequired?: boolean;
  readonly shape: AnswerShape;
  /** The usual success status; an operation may answer with another of `statuses`. */
  readonly status: number;
  readonly statuses?: readonly number[];
  /** The payload: what stands in `data`, one item of a list, or one event of a stream. */
  readonly answer: Answer;
}

const nothing = z.object({});

interface Defaults {
  readonly params: typeof nothing;
  readonly query: typeof nothing;
  readonly body: typeof nothing;
}

type Given<E, K extends keyof Defaults> = E extends Record<K, infer Schema extends z.ZodType> ? Schema : Defaults[K];

/** Describes an endpoint; what it takes nothing of may be left out. */
export function endpoint<const E extends Omit<Endpoint, keyof Defaults> & Partial<Pick<Endpoint, keyof Defaults>>>(
  described: E,
): Omit<E, keyof Defaults> & Endpoint<Given<E, "params">, Given<E, "query">, Given<E, "body">, E["answer"]> {
  return { params: nothing, query: nothing, body: nothing, ...described } as never;
}

/** Whether an `Idempotency-Key` is accepted: on every POST under `/flows` and `/executions`. */
export function isIdempotent({ method, path }: Pick<Endpoint, "method" | "path">): boolean {
  return method === "POST" && /^\/(flows|executions)(\/|$)/.test(path);
}

/** Path parameters of an operation on one thing. Any text is taken: an id that is malformed is simply not found. */
export const idParams = z.object({ id: z.string() });
