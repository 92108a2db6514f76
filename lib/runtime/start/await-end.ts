import type { Answer, Outcome } from "#lib/engine/outcome.ts";
import { ChangeSignal } from "#lib/executions/live/change-signal.ts";
import type { CompiledVersion } from "#lib/executions/nodes/compiled-version.ts";
import { isLimitReason } from "#lib/executions/nodes/run-limit.ts";
import { unfoldExecution } from "#lib/executions/store/folded-journal.ts";
import { recordedOutcomes } from "#lib/executions/store/recorded-outcomes.ts";
import { parseOwnJson } from "#lib/json/parse-json.ts";
import { isUnavailable, query } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import type { RunEnd } from "#lib/runtime/drive/drive-run.ts";

interface EndRow extends Record<string, unknown> {
  readonly status: RunEnd["status"];
  readonly completed_at: Date;
  readonly output: string | null;
  readonly error_message: string | null;
  readonly error_node_id: string | null;
  readonly error_code: string | null;
  readonly reason: string | null;
  readonly journal: string | null;
}

const readEnd = `
  SELECT status, completed_at, output, error_message, error_node_id, error_code, reason, journal FROM execution
  WHERE id = $1 AND status NOT IN ('pending', 'running')`;

/** The stored end of a run that any process drives; null if it does not end within `ms`. Never rejects. */
export async function awaitEnd(executionId: string, version: CompiledVersion, ms: number): Promise<RunEnd | null> {
  const signal = AbortSignal.timeout(ms);
  const changes = new ChangeSignal(executionId, signal);
  try {
    for (;;) {
      const nextChange = changes.nextChange();
      const end = await readIfThere(executionId, version);
      if (end !== null || signal.aborted) return end;
      await nextChange();
    }
  } catch (error) {
    logLine("error", "The end of a run could not be read", { executionId, ...errorFields(error) });
    return null;
  } finally {
    changes.close();
  }
}

async function readIfThere(executionId: string, version: CompiledVersion): Promise<RunEnd | null> {
  try {
    const [row] = await query<EndRow>("read-end", readEnd, [executionId]);
    if (row === undefined) return null;
    if (row.journal !== null) await unfoldExecution(executionId, row.journal);
    const outcomes = (await recordedOutcomes([executionId])).get(executionId) ?? new Map<string, Outcome>();
    return await endOf(row, outcomes, version);
  } catch (error) {
    if (isUnavailable(error)) return null;
    throw error;
  }
}

async function endOf(row: EndRow, outcomes: ReadonlyMap<string, Outcome>, version: CompiledVersion): Promise<RunEnd> {
  const { error_message: message, error_node_id: nodeId, error_code: code } = row;
  const isCompleted = row.status === "completed";
  const json = row.output ?? "null";
  return {
    status: row.status,
    completedAt: row.completed_at.toISOString(),
    output: isCompleted ? { value: await parseOwnJson(json), json } : null,
    answer: isCompleted ? answerOf(outcomes, version) : null,
    error: message === null ? null : { message, nodeId, code: code ?? "INTERNAL_ERROR" },
    refusal: isLimitReason(row.reason) ? row.reason : null,
    outcomes,
  };
}

/** Status and headers of the answer, as set by the run's last `respond` node. */
function answerOf(outcomes: ReadonlyMap<string, Outcome>, { definition }: CompiledVersion): Answer | null {
  const answers = definition.nodes.map(({ id }) => outcomes.get(id));
  const last = answers.findLast((outcome) => outcome?.status === "completed" && outcome.answer !== undefined);
  return last?.status === "completed" ? (last.answer ?? null) : null;
}
