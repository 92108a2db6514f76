import type { Iterating } from "#lib/engine/loop.ts";
import type { Outcome } from "#lib/engine/outcome.ts";
import type { WaitRequest, Wake } from "#lib/engine/wait.ts";
import type { LogLevel } from "#lib/nodes/define.ts";

/** A stored step of a run. Payloads are JSON text; times are ISO 8601. */
export interface NodeRecord {
  /** The step's id: the node's, in a loop with its iteration (`stepId`). */
  readonly nodeId: string;
  /** Position in the flow's list of nodes. */
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
  /** Status and headers of the HTTP answer, for a node that answers. */
  readonly answer: string | null;
}

export interface LogRecord {
  readonly timestamp: string;
  readonly level: LogLevel;
  readonly nodeId: string | null;
  readonly message: string;
  readonly data: string | null;
}

/** Stored records of a run that another process started, or of a retry's original; by step id. */
export interface RunRecords {
  /** Outcomes of its steps, which do not run again. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** Steps that started and have no outcome yet. */
  readonly begun: ReadonlyMap<string, BegunRecord>;
  readonly waits: ReadonlyMap<string, StoredWait>;
}

export interface BegunRecord {
  /** ISO 8601. */
  readonly startedAt: string;
  /** A loop's items; null for any other node. */
  readonly loop: Iterating | null;
}

export interface StoredWait {
  readonly request: WaitRequest;
  /** What woke the step; null while nothing has. */
  readonly wake: Wake | null;
}

/** For a new run. */
export const noRecords: RunRecords = { outcomes: new Map(), begun: new Map(), waits: new Map() };

/** A problem worth looking into, although the run continued. */
export interface Warning {
  readonly nodeId: string | null;
  readonly message: string;
  readonly timestamp: string;
  readonly code?: string;
}
