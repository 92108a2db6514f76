import { query } from "#lib/platform/database.ts";
import type { LogRecord, NodeRecord } from "./node-record.ts";
import { recordColumns, writeRecords } from "./store-columns.ts";

export interface Journaled {
  readonly nodes: readonly NodeRecord[];
  readonly logs: readonly LogRecord[];
}

/** A node's record as a list: field names would be a third of a short run's data. */
type FoldedNode = readonly [
  nodeId: string,
  position: number,
  nodeName: string,
  type: string,
  status: NodeRecord["status"],
  startedAt: string,
  completedAt: string | null,
  retries: number,
  handle: string | null,
  input: FoldedText,
  output: FoldedText,
  error: string | null,
  answer: string | null,
];

/** A short text, or a reference to a long one: 0 for the run's own output, n for the nth of `texts`. */
type FoldedText = string | number | null;

/**
 * `steps` may refer to texts by number. Older servers, which know only `nodes`, then fail to read the run instead of
 * storing the number as a text.
 */
type Folded = { readonly logs: readonly LogRecord[] } & (
  | { readonly nodes: readonly FoldedNode[] }
  | { readonly steps: readonly FoldedNode[]; readonly texts: readonly string[] }
);

/**
 * Texts of at least this length are stored once, however many nodes pass them on: PostgreSQL takes 20 ms to compress 1
 * MiB.
 */
const longText = 2_048;

/**
 * A run's nodes and log as one value, as they are stored until the run is opened. `output`: the run's output, stored
 * separately.
 */
export function foldJournal({ nodes, logs, output }: Journaled & { readonly output: string | null }): string {
  const places = new Map<string, number>(output === null ? [] : [[output, 0]]);
  const texts: string[] = [];
  const place = (text: string | null): FoldedText => {
    if (text === null || text.length < longText) return text;
    if (!places.has(text)) places.set(text, texts.push(text));
    return places.get(text) ?? text;
  };
  const steps = nodes.map((node) => foldNode(node, place));
  const hasPlaces = texts.length > 0 || steps.some(([, , , , , , , , , ...folded]) => folded.includes(0));
  return JSON.stringify((hasPlaces ? { steps, texts, logs } : { nodes: steps, logs }) satisfies Folded);
}

/** Reads what `foldJournal` wrote; `readOutput` reads the run's own output if needed. */
export async function unfoldJournal(journal: string, readOutput: () => Promise<string | null>): Promise<Journaled> {
  const folded = JSON.parse(journal) as Folded;
  if ("nodes" in folded) return { nodes: folded.nodes.map((node) => unfoldNode(node, [])), logs: folded.logs };
  const texts = [await readOutput(), ...folded.texts];
  return { nodes: folded.steps.map((node) => unfoldNode(node, texts)), logs: folded.logs };
}

function foldNode(node: NodeRecord, place: (text: string | null) => FoldedText): FoldedNode {
  return [
    node.nodeId,
    node.position,
    node.nodeName,
    node.type,
    node.status,
    node.startedAt,
    node.completedAt,
    node.retries,
    node.handle,
    place(node.input),
    place(node.output),
    node.error,
    node.answer,
  ];
}

function unfoldNode(folded: FoldedNode, texts: readonly (string | null)[]): NodeRecord {
  const [nodeId, position, nodeName, type, status, startedAt, completedAt, retries, handle, ...rest] = folded;
  const [input, output, error, answer] = rest;
  const textOf = (text: FoldedText) => (typeof text === "number" ? (texts[text] ?? null) : text);
  return {
    nodeId,
    position,
    nodeName,
    type,
    status,
    startedAt,
    completedAt,
    retries,
    handle,
    input: textOf(input),
    output: textOf(output),
    error,
    answer,
  };
}

/** The nodes and log of a run that has not been opened yet. */
export async function readJournal(executionId: string, journal: string): Promise<Journaled> {
  return await unfoldJournal(journal, async () => {
    const text = "SELECT output FROM execution WHERE id = $1";
    const [row] = await query<{ output: string | null }>("output-of-run", text, [executionId]);
    return row?.output ?? null;
  });
}

// Of two concurrent readers, the second waits for the first one's lock and then finds nothing to unfold.
const unfold = `
  WITH unfolded AS (
    UPDATE execution SET journal = NULL WHERE id = $1 AND journal IS NOT NULL RETURNING id)
  ${writeRecords({ kind: "nodes-and-logs", first: 2, owner: "unfolded" })}
  SELECT id FROM unfolded`;

/** Moves a run's nodes and log into rows when the run is first opened. */
export async function unfoldExecution(executionId: string, journal: string): Promise<void> {
  const { nodes, logs } = await readJournal(executionId, journal);
  const columns = recordColumns(
    "nodes-and-logs",
    nodes.map((node) => ({ ...node, executionId })),
    logs.map((entry) => ({ ...entry, executionId })),
  );
  await query("unfold-execution", unfold, [executionId, ...columns]);
}
