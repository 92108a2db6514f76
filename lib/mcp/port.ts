import type { Scope } from "#lib/access.ts";
import type { Operations } from "#lib/contract/all.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import type { AppError } from "#lib/errors.ts";

/** The input of an operation. */
export interface Given {
  readonly params?: Readonly<Record<string, unknown>>;
  /** Values as text, as in a URL. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly ifMatch?: string | undefined;
}

/** A flow offered as a tool. */
export interface FlowTool {
  readonly id: string;
  readonly toolName: string;
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of an object. */
  readonly input: JsonObject;
  /** Whether calls are validated against it. */
  readonly isGiven: boolean;
}

/** The result of a flow's run; `output` as JSON. */
export interface FlowRun {
  readonly executionId: string;
  readonly status: string;
  readonly output: { readonly json: string } | null;
  readonly error: { readonly message: string; readonly nodeId: string | null; readonly code: string } | null;
}

/**
 * The tools' port to the service: the API's operations on behalf of one caller. In the server they are called directly;
 * elsewhere over HTTP.
 */
export interface Port {
  /** A thrown value as an error that may be shown: a bug is logged, and reveals nothing. */
  readonly fault: (thrown: unknown) => AppError;
  /** Yields to the event loop. */
  readonly pause: () => Promise<void> | undefined;
  readonly allows: (scope: Scope) => boolean;
  /** An operation's answer as JSON, of at most `charactersMax`. Throws AppError. */
  readonly call: (
    name: keyof Operations,
    given: Given,
    charactersMax: number,
  ) => Promise<{ readonly text: string; readonly isCut: boolean }>;
  /** Offered flows by tool name, after `after`. */
  readonly listFlows: (after: string, limit: number) => Promise<readonly FlowTool[]>;
  readonly findFlow: (toolName: string) => Promise<FlowTool | null>;
  readonly runFlow: (flowId: string, body: JsonObject) => Promise<FlowRun>;
}
