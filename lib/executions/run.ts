import type { JsonText } from "#lib/engine/outcome.ts";
import type { CompiledVersion } from "./nodes/compiled-version.ts";
import type { SecretMask } from "./secrets/mask-secrets.ts";
import type { Journal } from "./store/journal.ts";
import type { RunSizes } from "./store/run-sizes.ts";

/** What started a run, as `$trigger` shows it. */
export interface TriggerData {
  readonly body: unknown;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly method: string;
}

/** The same with its JSON. A large one may have lost its value, like an output (`large-output.ts`). */
export interface TriggerText extends JsonText {
  readonly value: TriggerData;
}

/** A credential's secret values, and the hosts it is bound to; empty for any host. */
export interface RunSecret {
  readonly values: readonly string[];
  readonly allowedHosts: readonly string[];
}

/** A run that this process is working on. */
export interface Run {
  readonly id: string;
  readonly workspaceId: string;
  readonly flowId: string;
  readonly flowName: string;
  /** The version's number; below zero for a working copy's revision. */
  readonly flowVersion: number;
  readonly startedAt: string;
  /** Milliseconds that it may work, waiting excluded. */
  readonly timeoutMs: number;
  /** Milliseconds it had worked when it last waited. */
  readonly workedMs: number;
  /** True if another run started it and may wait for its end. */
  readonly isSubFlow: boolean;
  /** True for a working copy's run and the sub-flows it starts: statistics and alerts leave them out. */
  readonly isOfDraft: boolean;
  /** The run that this one retries; null for any other. */
  readonly originalId: string | null;
  /** True while it may be what killed the processes that drove it, until one of its steps ends. */
  isSuspect: boolean;
  /** False until its record is on disk. */
  readonly isStored: () => boolean;
  /** The claim under which this process may write. */
  readonly fence: number;
  readonly trigger: TriggerText;
  /** How many flows called one another to start it; 0 for a call from outside. */
  readonly depth: number;
  readonly version: CompiledVersion;
  readonly journal: Journal;
  /** The sizes of its outputs so far, and their limits. */
  readonly sizes: RunSizes;
  /** Aborted with a StopReason to stop the run. */
  readonly stop: AbortController;
  /** The credentials that the run has used or that its flow names, by name, and the mask that hides their values. */
  readonly secrets: Map<string, RunSecret>;
  mask: SecretMask;
  /** Settles once the mask hides all of `secrets`; undefined before the first. */
  masking?: Promise<void>;
  /** Resolves once the credentials that its flow names are masked; undefined before the first node. */
  secretsHidden?: Promise<void>;
}

/**
 * Why a run stops early. `lost`: another process has claimed it. `handover`: this process is shutting down. `steps`: it
 * took as many as a run may.
 */
export class StopReason extends Error {
  readonly kind: "cancelled" | "timeout" | "steps" | "lost" | "handover";
  constructor(kind: StopReason["kind"]) {
    super(`the run was stopped: ${kind}`);
    this.name = "StopReason";
    this.kind = kind;
  }
}

/** Why this run was stopped; null if it was not. */
export function stopKind(run: Run): StopReason["kind"] | null {
  if (!run.stop.signal.aborted) return null;
  const { reason } = run.stop.signal;
  // Compares the name: the code that stopped the run may be bundled with another copy of the class.
  return reason instanceof Error && reason.name === "StopReason" ? (reason as StopReason).kind : "lost";
}
