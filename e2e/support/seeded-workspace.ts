// A workspace with flows and executions inserted directly into the database, with equal times, which real runs never
// have.
import { inject } from "vitest";
import { scopes } from "#lib/access.ts";
import { hashOfKey, newApiKey, shownPrefix } from "#lib/auth/api-keys.ts";
import { rebuildStatistics } from "#lib/executions/statistics/rebuilding/rebuild-statistics.ts";
import { pool } from "#lib/platform/database.ts";
import { newHookId, newId } from "#lib/platform/ids.ts";
import { call } from "./api-client.ts";
import { newWorkspaceId, sql } from "./people.ts";
import { databaseUrlOf } from "./second-workspace.ts";

export interface SeededFlow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly status: string;
  readonly tags: readonly string[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface SeededExecution {
  readonly id: string;
  readonly flowId: string;
  readonly status: string;
  readonly startedAt: string;
  readonly completedAt: string | null;
  readonly duration: number | null;
}

/** The workspace's data: few distinct values, so that many tie, and edge cases. */
export const seeds = {
  names: ["Alpha", "alpha", "100% sure", "100 sure", "a_b", "axb", "back\\slash", "ÄRGER", "ärger zwei", "Zulu"],
  descriptions: [null, "", "Sends 50% off", "über alles", "alpha"],
  tags: ["x", "X", "xy", "100%", "ü"],
  flowStatuses: ["draft", "inactive", "active"],
  executionStatuses: ["running", "completed", "failed", "cancelled", "timeout"],
  times: [
    "2024-02-28T23:59:59.999Z",
    "2024-02-29T00:00:00.000Z",
    "2024-02-29T12:00:00.000Z",
    "2024-02-29T23:59:59.999Z",
    "2024-03-01T00:00:00.000Z",
  ],
  durations: [0, 1, 250, 90_000],
} as const;

/** The key of a new workspace with these things in it. */
export async function seedWorkspace(flows: readonly SeededFlow[], executions: readonly SeededExecution[]) {
  const workspaceId = await newWorkspaceId("Seeded");
  const key = newApiKey();
  const keyRow = { id: newId("key"), name: "Only", hash: hashOfKey(key), prefix: shownPrefix(key), scopes };
  await insert("api_key", [{ ...keyRow, workspace_id: workspaceId, created_at: new Date() }]);
  await insert(
    "flow",
    flows.map((flow) => flowRow(workspaceId, flow)),
  );
  await insert("flow_version", flows.map(versionRow));
  await insert(
    "execution",
    executions.map((execution) => executionRow(workspaceId, execution)),
  );
  await countSeeded();
  return { key, remove: () => call("DELETE", "/executions", { olderThan: "2999-01-01" }, { key }) };
}

/** List counts come from statistics, which runs update as they end; these runs never ended. */
async function countSeeded(): Promise<void> {
  const unused = "not needed for statistics";
  const DATABASE_URL = databaseUrlOf(inject("server").dataDir ?? "");
  Object.assign(process.env, { DATABASE_URL, AUTH_SECRET: unused, ENCRYPTION_KEY: unused });
  await rebuildStatistics().finally(() => pool().end());
}

const flowRow = (workspaceId: string, { createdAt, updatedAt, ...flow }: SeededFlow) => ({
  ...flow,
  workspace_id: workspaceId,
  hook_id: newHookId(),
  version: 1,
  created_at: createdAt,
  updated_at: updatedAt,
});

const versionRow = ({ id, createdAt }: SeededFlow) => ({
  flow_id: id,
  version: 1,
  definition: JSON.stringify({ trigger: { type: "manual", config: {} }, nodes: [], edges: [], variables: {} }),
  branches: JSON.stringify({ handles: {}, ambiguous: [] }),
  created_at: createdAt,
});

const executionRow = (workspaceId: string, execution: SeededExecution) => ({
  id: execution.id,
  workspace_id: workspaceId,
  flow_id: execution.flowId,
  flow_name: "Seeded",
  flow_version: 1,
  status: execution.status,
  trigger_type: "manual",
  trigger: JSON.stringify({ body: {}, headers: {}, query: {}, method: "POST" }),
  source: "api",
  metadata: "{}",
  started_at: execution.startedAt,
  completed_at: execution.completedAt,
  duration_ms: execution.duration,
  timeout_ms: 300_000,
  // Unfinished ones wait for a long time, so that no worker claims them.
  wake_at: execution.completedAt === null ? "2999-01-01T00:00:00Z" : null,
});

async function insert(table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(", ");
  const text = `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(null::${table}, $1)`;
  await sql(text, [JSON.stringify(rows)]);
}
