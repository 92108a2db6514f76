/** Messages between the server and a child. The child imports nothing outside its folder, so this is what both sides share. */

export interface SandboxLimits {
  /** CPU time of one program; all programs of a task together may use `programsOfTask` times as much. */
  readonly cpuMs: number;
  /** The guest's whole heap. A task may lower the sandbox's limit, not raise it. */
  readonly memoryBytes: number;
  /** One result as JSON text; a task's results together may be `programsOfTask` times as large. */
  readonly resultBytes: number;
}

/** What a task may use in total, as a multiple of one program's limits. */
export const programsOfTask = { cpu: 4, results: 8 } as const;

export interface SandboxProgram {
  readonly source: string;
  /** `body`: the body of a function, with `return`. */
  readonly kind: "expression" | "body";
}

export interface SandboxError {
  readonly kind: "syntax" | "thrown" | "unserializable" | "limit";
  readonly name: string;
  readonly message: string;
  /** Offset in the program's source, if known. */
  readonly position: number | null;
}

export type SandboxResult =
  | { readonly ok: true; readonly json: string; readonly type: string }
  | { readonly ok: false; readonly error: SandboxError };

export interface SandboxLog {
  readonly level: "info" | "warning" | "error";
  readonly message: string;
}

export interface SandboxAnswer {
  readonly results: SandboxResult[];
  readonly logs: SandboxLog[];
}

/** One task as sent: the scope's names and its JSON texts, side by side. */
export interface TaskMessage {
  readonly names: readonly string[];
  readonly texts: readonly string[];
  readonly programs: readonly SandboxProgram[];
  readonly limits: SandboxLimits;
}

/** `ready` once; `alive` during a task with several programs; then the answers, in the order of the batch. */
export type ChildMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "alive"; readonly cpuMs: number }
  | {
      readonly kind: "answers";
      /** Fewer than the batch if it took too long: the others have not started and are sent again. */
      readonly answers: readonly SandboxAnswer[];
      /** The child asks to be replaced. */
      readonly worn: boolean;
      /** All CPU time of the process so far. */
      readonly cpuMs: number;
    };

/** The ledger, a file that both sides have open, holds two bytes: the current task and its current program. */
export const ledgerDescriptor = 4;
export const ledgerIdle = 255;
export const batchTasksMax = 32;
