import type { Outcome } from "#lib/engine/outcome.ts";
import type { LogLevel } from "#lib/nodes/define.ts";

/** A node's part in a run, as it is stored. Payloads are JSON text; times are ISO 8601. */
export interface NodeRecord {
  readonly nodeId: string;
  /** Place in the flow's list of nodes. */
  readonly position: number;
  readonly nodeName: string;
  readonly type: string;
  readonly status: "running" | "completed" | "failed" | "cancelled";
  readonly startedAt: string;
  readonly completedAt: string | null;
  readonly retries: number;
  readonly handle: string | null;
  readonly input: string | null;
  readonly output: string | null;
  readonly error: string | null;
  /** The form of the HTTP answer, of a node that answers. */
  readonly answer: string | null;
}

export interface LogRecord {
  readonly timestamp: string;
  readonly level: LogLevel;
  readonly nodeId: string | null;
  readonly message: string;
  readonly data: string | null;
}

/** What is stored of a run that another process, or another run, began. */
export interface RecordedRun {
  /** What its nodes came to: they are not run again. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly warnings: readonly Warning[];
}

/** What a run should be looked at for, though it went on. */
export interface Warning {
  readonly nodeId: string | null;
  readonly message: string;
  readonly timestamp: string;
  readonly code?: string;
}
