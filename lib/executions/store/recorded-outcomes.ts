import { type Answer, type NodeError, type Outcome, skipped } from "#lib/engine/outcome.ts";
import { keptOutput } from "#lib/json/large-output.ts";
import { parseOwnJson } from "#lib/json/parse-json.ts";
import { query } from "#lib/platform/database.ts";
import { nextTurn } from "#lib/platform/turns.ts";
import type { Warning } from "./node-record.ts";

interface Row {
  execution_id: string;
  node_id: string;
  status: string;
  output: string | null;
  handle: string | null;
  error: string | null;
  answer: string | null;
}

interface WarningRow {
  execution_id: string;
  node_id: string | null;
  message: string;
  timestamp: Date;
}

const read = `
  SELECT execution_id, node_id, status, output, handle, error, answer FROM node_execution
  WHERE execution_id = ANY($1::text[]) AND status IN ('completed', 'failed', 'skipped')`;

const readSome = `${read} AND node_id = ANY($2::text[])`;

/** Characters of output to parse before yielding. */
const charactersAtOnce = 262_144;

/** The recorded outcomes of these runs' nodes, by run and node: they do not run again. `nodeIds`: only these nodes. */
export async function recordedOutcomes(
  ids: readonly string[],
  nodeIds: readonly string[] | null = null,
): Promise<Map<string, Map<string, Outcome>>> {
  const found = new Map<string, Map<string, Outcome>>();
  if (ids.length === 0) return found;
  let characters = 0;
  const rows =
    nodeIds === null
      ? await query<Row>("recorded-outcomes", read, [ids])
      : await query<Row>("recorded-outcomes-of-nodes", readSome, [ids, nodeIds]);
  for (const row of rows) {
    characters += row.output?.length ?? 0;
    if (characters > charactersAtOnce) {
      await nextTurn();
      characters = 0;
    }
    const outcomes = found.get(row.execution_id) ?? new Map<string, Outcome>();
    outcomes.set(row.node_id, await outcomeOf(row));
    found.set(row.execution_id, outcomes);
  }
  return found;
}

const readWarnings = `
  SELECT execution_id, node_id, message, timestamp FROM log_entry
  WHERE execution_id = ANY($1::text[]) AND level = 'warning' ORDER BY id`;

/** The warnings of these runs so far, by run. */
export async function recordedWarnings(ids: readonly string[]): Promise<Map<string, Warning[]>> {
  const found = new Map<string, Warning[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return found;
  for (const row of await query<WarningRow>("recorded-warnings", readWarnings, [ids])) {
    const { execution_id: id, node_id: nodeId, message, timestamp } = row;
    found.get(id)?.push({ nodeId, message, timestamp: timestamp.toISOString() });
  }
  return found;
}

async function outcomeOf({ status, output, handle, error, answer }: Row): Promise<Outcome> {
  if (status === "skipped") return skipped;
  if (status === "failed") return { status: "failed", error: JSON.parse(error ?? "{}") as NodeError };
  const json = output ?? "null";
  const form = answer === null ? {} : { answer: JSON.parse(answer) as Answer };
  return { status: "completed", output: keptOutput({ value: await parseOwnJson(json), json }), handle, ...form };
}
