// Triggers that listen: `table` for changes of a table's rows, `error` for failures of runs.
import { type FlowTrigger, isStorableText, type RowChangeKind, rowChanges, triggerSource } from "#lib/engine/flow.ts";
import { AppError } from "#lib/errors.ts";
import { isId } from "#lib/platform/ids.ts";
import type { Prisma, PrismaClient } from "#lib/platform/prisma/client.ts";

/** What an active flow listens for. */
export type Listener =
  | { readonly kind: "table"; readonly table: string; readonly changes: readonly RowChangeKind[] }
  | { readonly kind: "error"; readonly flowIds: readonly string[] };

/** The database, or a transaction in it. */
export type ListenerReader = Pick<PrismaClient, "dataTable" | "flow">;

interface ListenerProblem {
  readonly field: "table" | "on" | "flowIds";
  readonly message: string;
}

const flowIdsMax = 100;

/** What an active flow with this trigger listens for; null for other triggers and invalid configs. */
export function listenerOf(status: string, { type, config }: FlowTrigger): Listener | null {
  const listening = kinds[type];
  return status === "active" && listening !== undefined ? listening.listener(config) : null;
}

type Config = FlowTrigger["config"];

interface Listening {
  readonly listener: (config: Config) => Listener | null;
  readonly problems: (database: ListenerReader, workspaceId: string, config: Config) => Promise<ListenerProblem[]>;
}

/** The triggers that listen, by type. */
const kinds: Readonly<Partial<Record<FlowTrigger["type"], Listening>>> = {
  table: {
    listener: ({ table, on }) => {
      return typeof table === "string" ? { kind: "table", table, changes: changesIn(on) ?? rowChanges } : null;
    },
    problems: tableProblems,
  },
  error: {
    listener: ({ flowIds }) => {
      const ids = Array.isArray(flowIds) ? flowIds.filter((id): id is string => typeof id === "string") : [];
      return { kind: "error", flowIds: ids };
    },
    problems: flowProblems,
  },
};

/** The changes to listen for, given as one or a list; null if it is neither. */
function changesIn(on: unknown): RowChangeKind[] | null {
  const given = typeof on === "string" ? [on] : on;
  if (!Array.isArray(given) || given.length === 0) return null;
  const known = rowChanges.filter((change) => given.includes(change));
  return known.length === new Set(given).size ? known : null;
}

/** Why a flow with this trigger could not listen. */
export async function listenerProblems(
  database: ListenerReader,
  workspaceId: string,
  { type, config }: FlowTrigger,
): Promise<ListenerProblem[]> {
  return (await kinds[type]?.problems(database, workspaceId, config)) ?? [];
}

async function tableProblems(database: ListenerReader, workspaceId: string, { table, on }: Config) {
  const problems: ListenerProblem[] = [];
  const isNamed = typeof table === "string" && isStorableText(table);
  const found = isNamed
    ? await database.dataTable.findFirst({ where: { workspaceId, OR: [{ id: table }, { name: table }] } })
    : null;
  if (found === null) {
    const message = isNamed ? `there is no table "${table.slice(0, 100)}"` : "must be a table's name or id";
    problems.push({ field: "table", message });
  }
  if (on !== undefined && on !== null && changesIn(on) === null) {
    problems.push({ field: "on", message: `must be a list of ${rowChanges.join(", ")}` });
  }
  return problems;
}

async function flowProblems(database: ListenerReader, workspaceId: string, { flowIds }: Config) {
  const refuse = (message: string): ListenerProblem[] => [{ field: "flowIds", message }];
  if (flowIds === undefined || flowIds === null) return [];
  if (!Array.isArray(flowIds) || flowIds.length === 0) return refuse("must be a list of flows' ids");
  if (flowIds.length > flowIdsMax) return refuse(`must have at most ${flowIdsMax} ids`);
  const ids = flowIds.filter((id): id is string => typeof id === "string" && isId("flow", id));
  const known = await database.flow.findMany({ where: { workspaceId, id: { in: ids } }, select: { id: true } });
  const missing = flowIds.find((id) => !known.some((flow) => flow.id === id));
  return missing === undefined ? [] : refuse(`there is no flow "${String(missing).slice(0, 100)}"`);
}

/** Each change of a row and each failure is stored once per listening flow. */
const listenersMax = 20;

/** Throws VALIDATION_ERROR if too many other flows already listen for the same. */
export async function requireFewListeners(
  database: Pick<PrismaClient, "$queryRaw">,
  workspaceId: string,
  flowId: string,
  listener: Listener,
): Promise<void> {
  const { kind } = listener;
  const table = kind === "table" ? listener.table : null;
  const [row] = await database.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM flow_listener l LEFT JOIN data_table t ON t.id = l.table_id
    WHERE l.workspace_id = ${workspaceId} AND l.kind = ${kind} AND l.flow_id <> ${flowId}
      AND (${kind} = 'error' OR t.id = ${table} OR t.name = ${table})`;
  if ((row?.count ?? 0) < listenersMax) return;
  const [field, subject] = kind === "table" ? ["table", "changes of this table"] : ["flowIds", "failed runs"];
  const message = `${listenersMax} flows listen for ${subject} already, as many as may`;
  throw new AppError("VALIDATION_ERROR", "The flow cannot be activated yet", {
    details: { [`${triggerSource}.config.${field}`]: message },
  });
}

type Writer = Pick<PrismaClient, "$executeRaw">;

/** Stores what the flow listens for, in the transaction that makes it active. */
export function storeListener(
  database: Writer,
  workspaceId: string,
  flowId: string,
  listener: Listener,
): Prisma.PrismaPromise<number> {
  const { kind } = listener;
  const changes = kind === "table" ? [...listener.changes] : [];
  const flowIds = kind === "error" ? [...listener.flowIds] : [];
  const table = kind === "table" ? listener.table : null;
  return database.$executeRaw`
    INSERT INTO flow_listener (flow_id, workspace_id, kind, table_id, changes, flow_ids)
    VALUES (${flowId}, ${workspaceId}, ${kind},
      (SELECT id FROM data_table WHERE workspace_id = ${workspaceId} AND (id = ${table} OR name = ${table})
       ORDER BY id = ${table} DESC LIMIT 1),
      ${changes}::text[], ${flowIds}::text[])
    ON CONFLICT (flow_id) DO UPDATE SET kind = excluded.kind, table_id = excluded.table_id, changes = excluded.changes,
      flow_ids = excluded.flow_ids`;
}

/** The flow no longer listens. */
export async function dropListener(database: Writer, flowId: string): Promise<void> {
  await database.$executeRaw`DELETE FROM flow_listener WHERE flow_id = ${flowId}`;
}
