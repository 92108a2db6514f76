import type { Scope } from "#lib/access.ts";
import type { Operations } from "#lib/contract/all.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import type { AppError } from "#lib/errors.ts";

/** What a request to an operation would carry. */
export interface Given {
  readonly params?: Readonly<Record<string, unknown>>;
  /** Values as an address has them. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly ifMatch?: string | undefined;
}

/** A flow that is offered as a tool. */
export interface FlowTool {
  readonly id: string;
  readonly toolName: string;
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of an object. */
  readonly input: JsonObject;
  /** Whether calls are held to it. */
  readonly isGiven: boolean;
}

/** The result of a call of a flow; `output` as JSON. */
export interface FlowRun {
  readonly executionId: string;
  readonly status: string;
  readonly output: { readonly json: string } | null;
  readonly error: { readonly message: string; readonly nodeId: string | null; readonly code: string } | null;
}

/**
 * The service as the tools see it: the API's operations in the name of one caller. In the server they are called directly; a
 * program elsewhere calls them over HTTP.
 */
export interface Port {
  /** A thrown value as an error that may be shown: a bug is logged, and reveals nothing. */
  readonly fault: (thrown: unknown) => AppError;
  /** Lets others work between two parts of what takes a while. */
  readonly pause: () => Promise<void> | undefined;
  readonly allows: (scope: Scope) => boolean;
  /** An operation's answer as JSON, of at most `charactersMax`. Throws AppError. */
  readonly call: (
    name: keyof Operations,
    given: Given,
    charactersMax: number,
  ) => Promise<{ readonly text: string; readonly isCut: boolean }>;
  /** Offered flows by tool name, after `after`. */
  readonly listFlows: (after: string, most: number) => Promise<readonly FlowTool[]>;
  readonly findFlow: (toolName: string) => Promise<FlowTool | null>;
  readonly runFlow: (flowId: string, body: JsonObject) => Promise<FlowRun>;
}
