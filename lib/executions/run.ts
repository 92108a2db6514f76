import type { CompiledVersion } from "./nodes/compiled-version.ts";
import type { SecretMask } from "./secrets/mask-secrets.ts";
import type { Journal } from "./store/journal.ts";
import type { RunSizes } from "./store/run-sizes.ts";

/** What started a run, as expressions see it in `$trigger`. */
export interface TriggerData {
  readonly body: unknown;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly method: string;
}

/** The secret values of a credential, and the hosts that it is bound to: none for any. */
export interface RunSecret {
  readonly values: readonly string[];
  readonly allowedHosts: readonly string[];
}

/** A run that this process is doing. */
export interface Run {
  readonly id: string;
  readonly workspaceId: string;
  readonly flowId: string;
  readonly flowName: string;
  readonly startedAt: string;
  /** Milliseconds of work that it may take; waiting does not count. */
  readonly timeoutMs: number;
  /** What it had used of them when it last waited. */
  readonly workedMs: number;
  /** True when another run started it, which may wait for its end. */
  readonly isSubFlow: boolean;
  /** True while it may be what ended the processes that had it: until a step of it ends. */
  isSuspect: boolean;
  /** The claim under which this process may write. */
  readonly fence: number;
  readonly trigger: TriggerData;
  /** The same as JSON text. */
  readonly triggerJson: string;
  readonly version: CompiledVersion;
  readonly journal: Journal;
  /** What it has made so far, and how much more it may. */
  readonly sizes: RunSizes;
  /** Aborted with a StopReason when the run must stop. */
  readonly stop: AbortController;
  /** The credentials that the run has used so far or that its flow names, by name, and what hides their values. */
  readonly secrets: Map<string, RunSecret>;
  mask: SecretMask;
  /** Settled once the mask hides all of `secrets`; not set before the first. */
  masking?: Promise<void>;
  /** Resolved once the values of the credentials that its flow names are hidden; not set before its first node. */
  secretsHidden?: Promise<void>;
}

/** Why a run stops before its end. `lost`: another process has it. `handover`: this process is going down. */
export class StopReason extends Error {
  readonly kind: "cancelled" | "timeout" | "lost" | "handover";
  constructor(kind: StopReason["kind"]) {
    super(`the run was stopped: ${kind}`);
    this.name = "StopReason";
    this.kind = kind;
  }
}

/** Why this run was told to stop; null while it was not. */
export function stopKind(run: Run): StopReason["kind"] | null {
  if (!run.stop.signal.aborted) return null;
  const { reason } = run.stop.signal;
  // By its name: who stopped the run may have been bundled with a class of its own.
  return reason instanceof Error && reason.name === "StopReason" ? (reason as StopReason).kind : "lost";
}
