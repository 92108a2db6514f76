export const tableActions = ["find", "get", "count", "insert", "upsert", "update", "increment", "delete"] as const;
export type TableAction = (typeof tableActions)[number];

/** The actions that write nothing. */
export const tableReads: ReadonlySet<unknown> = new Set<TableAction>(["find", "get", "count"]);

/** A node's request to a table of the workspace. `table`: its name or id. */
export interface TableRequest {
  readonly action: TableAction;
  readonly table: string;
  /** A filter, as `GET /tables/:id/rows` takes it. */
  readonly where?: unknown;
  readonly sort?: string | undefined;
  readonly limit?: number | undefined;
  /** Values by column name; to insert, also a list of rows. */
  readonly row?: unknown;
  /** The unique column that an upsert finds rows by. */
  readonly key?: string | undefined;
  readonly column?: string | undefined;
  readonly by?: number | undefined;
}

/** The rows found or written, as the API shows them, and their number. */
export interface TableAnswer {
  readonly rows: readonly unknown[];
  readonly count: number;
  /** For an upsert: how many of the rows are new. */
  readonly inserted?: number;
}

/** A step that acts on this database: on a table, or on the keys that other runs have seen. */
export interface StepOfRun {
  readonly workspaceId: string;
  readonly executionId: string;
  readonly stepId: string;
  /** The claim under which it may have effects. */
  readonly fence: number;
  /** How many flows called each other to get here. */
  readonly depth: number;
  /** Throws NodeFailure if the answer is larger than an output of the run may be. */
  readonly requireFit: (answer: TableAnswer) => Promise<unknown>;
}
