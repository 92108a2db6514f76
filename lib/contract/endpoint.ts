import { z } from "zod";
import type { Scope } from "#lib/access.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * The form of an answer: JSON in the envelope, a page of a list, bare JSON, no body (204), a stream of events, CSV, or
 * the bytes of a file.
 */
export type AnswerShape = "data" | "list" | "bare" | "empty" | "stream" | "csv" | "file";

/** One operation of the API, described once for the wrapper, the client, the reference and the tests. */
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
  /** The scope that a key or a member needs; null: any authenticated caller. */
  readonly scope: Scope | null;
  /** Scopes that flags in the query need besides `scope`, because they read or delete another subject's data. */
  readonly flagScopes?: Readonly<Record<string, Scope>>;
  /** True if keys are refused: personal data does not belong to a workspace. */
  readonly peopleOnly?: boolean;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /**
   * True if answers have a flow's version as their `ETag`, and writes to an existing flow honour `If-Match`.
   * `revision`: the version is that of the flow's working copy; `row`: of a table's row.
   */
  readonly checksVersion?: true | "revision" | "row";
  /** Set if the body is CSV text, whatever its `Content-Type`, or a streamed file. */
  readonly bodyType?: "csv" | "file";
  /**
   * Set if the body may be a flow's text as `application/yaml`, meaning `{text}`; or the answer, with `?format=yaml`.
   */
  readonly alsoYaml?: "body" | "answer";
  /** The body's limit in bytes, if larger than `MAX_BODY_BYTES`. */
  readonly bodyBytesMax?: number;
  /** Levels of nesting that the body may have, if more than 64: what it holds is wrapped, or may be deeper itself. */
  readonly bodyLevelsMax?: number;
  /** False if an empty body counts as an empty object. */
  readonly bodyRequired?: boolean;
  readonly shape: AnswerShape;
  /** The default success status; the operation may return another one of `statuses`. */
  readonly status: number;
  readonly statuses?: readonly number[];
  /** The payload: what is in `data`, one item of a list, or one event of a stream. */
  readonly answer: Answer;
}

const nothing = z.object({});

interface Defaults {
  readonly params: typeof nothing;
  readonly query: typeof nothing;
  readonly body: typeof nothing;
  readonly shape: "data";
  readonly status: number;
  readonly answer: z.ZodNull;
}

type Given<E, K extends keyof Defaults> = E extends Record<K, infer Value extends Endpoint[K]> ? Value : Defaults[K];

type Described = Omit<Endpoint, keyof Defaults> &
  Partial<Pick<Endpoint, keyof Defaults>> &
  (Pick<Endpoint, "answer"> | { readonly shape: "empty" });

/**
 * Describes an endpoint. Inputs that it does not take can be omitted; so can the shape `data`, the status 200 (204 for
 * `empty`) and the answer of `empty`.
 */
export function endpoint<const E extends Described>(
  described: E,
): Omit<E, keyof Defaults> &
  Endpoint<Given<E, "params">, Given<E, "query">, Given<E, "body">, Given<E, "answer">> & {
    readonly shape: Given<E, "shape">;
  } {
  const status = described.shape === "empty" ? 204 : 200;
  const defaults = { params: nothing, query: nothing, body: nothing, shape: "data", status, answer: z.null() };
  return { ...defaults, ...described } as never;
}

/** Whether it accepts an `Idempotency-Key`: every POST under `/flows`, `/executions` and `/tables` does. */
export function isIdempotent({ method, path }: Pick<Endpoint, "method" | "path">): boolean {
  return method === "POST" && /^\/(flows|executions|tables|events)(\/|$)/.test(path);
}

/** Path parameters of an operation on one resource. Any text is accepted: a malformed id is simply not found. */
export const idParams = (of: string) => z.object({ id: z.string().describe(`The ${of}'s id`) });
