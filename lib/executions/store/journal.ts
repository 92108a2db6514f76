import { toStorableText } from "#lib/engine/flow.ts";
import type { Iterating } from "#lib/engine/loop.ts";
import type { Outcome } from "#lib/engine/outcome.ts";
import type { Step } from "#lib/engine/step.ts";
import type { LogLevel } from "#lib/nodes/define.ts";
import { isoNow } from "#lib/platform/clock.ts";
import type { BegunRecord, LogRecord, NodeRecord, RunRecords, Warning } from "./node-record.ts";

/** Limits on what one run may write besides its nodes' outputs. */
export const journalLimits = {
  logEntriesMax: 10_000,
  logCharactersMax: 10_485_760,
  warningsMax: 100,
  logMessageCharactersMax: 10_000,
} as const;

/** What is written in one statement: more is written before the run goes on. */
const unstoredMax = { characters: 4 * 1_048_576, steps: 5_000 } as const;

/** The log that a run has stored so far. */
export interface StoredLog {
  readonly entries: number;
  readonly characters: number;
}

/** A step that started, and what will be stored with its end. */
interface Begun {
  record: NodeRecord;
  retries: number;
  /** The resolved config, or a loop's items, as JSON text. */
  input: string | null;
}

/** What happened in a run and is not stored yet. Nothing here waits: the driver decides when to write. */
export class Journal {
  readonly warnings: Warning[] = [];
  warningCount = 0;
  errorCount = 0;
  nodesExecuted = 0;
  #stepCount = 0;
  readonly #begun = new Map<string, Begun>();
  readonly #unstored = new Map<string, NodeRecord>();
  #logs: LogRecord[] = [];
  #logCount = 0;
  #logCharacters = 0;
  #isLogFull = false;
  #unstoredCharacters = 0;
  #isComplete = true;

  begin({ id, node: { node, index } }: Pick<Step, "id" | "node">): void {
    const record: NodeRecord = {
      nodeId: id,
      position: index,
      nodeName: node.name,
      type: node.type,
      status: "running",
      startedAt: isoNow(),
      completedAt: null,
      retries: 0,
      handle: null,
      input: null,
      output: null,
      error: null,
      answer: null,
    };
    this.#stepCount += 1;
    this.#begun.set(id, { record, retries: 0, input: null });
    this.#unstored.set(id, record);
  }

  /** Continues a step that an earlier stretch of the run started. */
  continue(step: Pick<Step, "id" | "node">, { startedAt }: BegunRecord): void {
    this.begin(step);
    this.#unstored.delete(step.id);
    const begun = this.#begun.get(step.id);
    if (begun !== undefined) begun.record = { ...begun.record, startedAt };
  }

  /** A loop's record holds its items while it runs, so that a restart iterates over the same ones. */
  iterates(stepId: string, { status, items, ...settings }: Iterating): void {
    const begun = this.#begun.get(stepId);
    if (begun === undefined) return;
    const listed = items.map(({ json }) => json).join(",");
    begun.input = `{"status":"${status}","items":[${listed}],${JSON.stringify(settings).slice(1)}`;
    this.#unstored.set(stepId, { ...begun.record, input: begun.input });
  }

  end(nodeId: string, outcome: Outcome): void {
    const begun = this.#begun.get(nodeId);
    if (begun === undefined || outcome.status === "skipped") return;
    this.#begun.delete(nodeId);
    if (outcome.status !== "cancelled") this.nodesExecuted += 1;
    if (outcome.status === "failed") this.errorCount += 1;
    this.#unstoredCharacters += begun.input?.length ?? 0;
    if (outcome.status === "completed") this.#unstoredCharacters += outcome.output.json.length;
    this.#unstored.set(nodeId, {
      ...begun.record,
      status: outcome.status,
      completedAt: isoNow(),
      retries: begun.retries,
      handle: outcome.status === "completed" ? outcome.handle : null,
      input: begun.input,
      output: outcome.status === "completed" ? outcome.output.json : null,
      error: outcome.status === "failed" ? JSON.stringify(outcome.error) : null,
      answer: outcome.status === "completed" && outcome.answer ? JSON.stringify(outcome.answer) : null,
    });
  }

  /** Counts what an earlier process stored for the run. */
  resume(
    { outcomes, begun }: Pick<RunRecords, "outcomes" | "begun">,
    warnings: readonly Warning[],
    log: StoredLog = { entries: 0, characters: 0 },
  ): void {
    this.#logCount = log.entries;
    this.#logCharacters = log.characters;
    this.#isLogFull = log.entries >= journalLimits.logEntriesMax || log.characters > journalLimits.logCharactersMax;
    if (outcomes.size + begun.size + warnings.length > 0) this.#isComplete = false;
    // Those that have begun are counted when they continue.
    this.#stepCount += outcomes.size;
    for (const { status } of outcomes.values()) {
      if (status === "completed" || status === "failed") this.nodesExecuted += 1;
      if (status === "failed") this.errorCount += 1;
    }
    this.warningCount += warnings.length;
    this.warnings.push(...warnings.slice(0, journalLimits.warningsMax));
  }

  /** The resolved config, as JSON text. */
  input(nodeId: string, json: string): void {
    const begun = this.#begun.get(nodeId);
    if (begun !== undefined) begun.input = json;
  }

  retried(nodeId: string): void {
    const begun = this.#begun.get(nodeId);
    if (begun !== undefined) begun.retries += 1;
  }

  log(level: LogLevel, nodeId: string | null, message: string, data: string | null, code?: string): void {
    this.#logCount += 1;
    const { logEntriesMax, logCharactersMax, logMessageCharactersMax } = journalLimits;
    const timestamp = isoNow();
    if (level === "warning") this.warn(nodeId, message, code);
    if (this.#isLogFull) return;
    this.#logCharacters += Math.min(message.length, logMessageCharactersMax) + (data?.length ?? 0);
    const isLarge = this.#logCharacters > logCharactersMax;
    const isLast = this.#logCount === logEntriesMax || isLarge;
    if (isLast) this.#isLogFull = true;
    const limit = isLarge ? `${logCharactersMax} characters` : `${logEntriesMax} entries`;
    const text = isLast ? `The run's log ends here: it has ${limit}` : message;
    this.#logs.push({
      timestamp,
      level,
      nodeId,
      message: toStorableText(text.slice(0, logMessageCharactersMax)),
      data: isLast ? null : data,
    });
  }

  /** Beyond the limit, still keeps the first warning of each code: other code looks for it. */
  warn(nodeId: string | null, message: string, code?: string): void {
    this.warningCount += 1;
    const isFull = this.warnings.length >= journalLimits.warningsMax;
    if (isFull && (code === undefined || this.warnings.some((known) => known.code === code))) return;
    const timestamp = isoNow();
    this.warnings.push({ nodeId, message, timestamp, ...(code === undefined ? {} : { code }) });
  }

  /** How many steps the run has started. */
  get stepCount(): number {
    return this.#stepCount;
  }

  /** True until the first records are taken for storing. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  get hasUnstored(): boolean {
    return this.#unstored.size > 0 || this.#logs.length > 0;
  }

  /** True if the unstored records are large enough for a statement of their own. */
  get isLarge(): boolean {
    return this.#unstoredCharacters > unstoredMax.characters || this.#unstored.size >= unstoredMax.steps;
  }

  /** Takes the unstored records; later events are taken the next time. */
  take(): { nodes: NodeRecord[]; logs: LogRecord[] } {
    const taken = { nodes: [...this.#unstored.values()], logs: this.#logs };
    this.#unstored.clear();
    this.#unstoredCharacters = 0;
    this.#logs = [];
    this.#isComplete = false;
    return taken;
  }
}
