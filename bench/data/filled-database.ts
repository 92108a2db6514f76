import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type pg from "pg";
import { versionColumns } from "#lib/flows/definition.ts";
import { connect } from "#lib/platform/database/connect.ts";
import { projectDirectory } from "../../scripts/places.mjs";
import { startMillrace } from "../millrace.ts";
import { newDatabase, onServer } from "./new-database.ts";

/**
 * A database with this many runs for one measurement, copied so that the next one is unaffected. The original is filled
 * if it does not exist yet.
 */
export async function filledDatabase(serverUrl: string, size: number): Promise<string> {
  const name = `filled_${size}`;
  const found = await onServer(serverUrl, `SELECT FROM pg_database WHERE datname = '${name}'`);
  if (found.length === 0) await fill(serverUrl, size, name);
  return await newDatabase(serverUrl, `measured_${size}`, name);
}

/** Gets its final name only when complete. */
async function fill(serverUrl: string, size: number, name: string): Promise<void> {
  const unfinished = "filling";
  const databaseUrl = await newDatabase(serverUrl, unfinished);
  const server = await startMillrace(databaseUrl);
  try {
    await fillDatabase(databaseUrl, size);
  } finally {
    await server.stop();
  }
  await onServer(serverUrl, `ALTER DATABASE ${unfinished} RENAME TO ${name}`);
}

/** Statistics need no secrets, but settings are incomplete without them. */
const unused = "not-needed-for-statistics-at-all";

/**
 * Fills the database of a started server with this many executions, and leaves it in the state it would reach after a
 * while.
 */
async function fillDatabase(databaseUrl: string, size: number): Promise<void> {
  const startedAt = performance.now();
  await seedExecutions(databaseUrl, await workspaceOf(databaseUrl), size);
  await rebuildStatistics(databaseUrl);
  await afterwards(databaseUrl);
  console.log(`${size} executions stored in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
}

async function workspaceOf(databaseUrl: string): Promise<string> {
  const client = await connect(databaseUrl);
  const { rows } = await client.query<{ id: string }>("SELECT id FROM workspace");
  await client.end();
  return rows[0]?.id ?? "";
}

/** Runs the operator's command, which is measured as well. */
async function rebuildStatistics(databaseUrl: string): Promise<void> {
  const file = join(projectDirectory, "scripts/rebuild-statistics.ts");
  const env = { ...process.env, DATABASE_URL: databaseUrl, AUTH_SECRET: unused, ENCRYPTION_KEY: unused };
  const [code] = await once(spawn(process.execPath, [file], { stdio: "inherit", env }), "exit");
  if (code !== 0) throw new Error("The statistics could not be rebuilt");
}

/** What autovacuum would do in time. */
async function afterwards(databaseUrl: string): Promise<void> {
  const client = await connect(databaseUrl);
  await client.query("VACUUM ANALYZE");
  await client.query("CHECKPOINT");
  await client.end();
}

// A busy installation's database after 90 days: runs of 50 flows, of every status, with nodes and logs.
const flowCount = 50;
const days = 90;

const tables = ["execution", "node_execution", "log_entry"];

// A few flows have most of the runs, and each flow's runs take similar times.
const flows = `
  INSERT INTO flow (id, workspace_id, hook_id, name, description, status, tags, version, created_at, updated_at)
  SELECT 'flow_' || lpad(n::text, 26, '0'), $1, 'hook_' || lpad(n::text, 26, '0'), 'Flow number ' || n,
    'Seeded for a measurement', CASE WHEN n % 5 = 0 THEN 'inactive' ELSE 'active' END, ARRAY['seeded', 'team-' || n % 7], 1,
    now() - interval '${days} days', now() - n * interval '1 hour'
  FROM generate_series(1, ${flowCount}) AS n`;

const versions = `
  INSERT INTO flow_version (flow_id, version, definition, branches, created_at)
  SELECT id, 1, $2, $3, created_at FROM flow WHERE workspace_id = $1 AND tags @> '{seeded}'`;

const executions = `
  INSERT INTO execution (id, workspace_id, flow_id, flow_name, flow_version, status, trigger_type, trigger, source, metadata,
    started_at, completed_at, duration_ms, output, error_message, error_node_id, error_code, nodes_executed, error_count,
    warning_count, timeout_ms, fence)
  SELECT 'exec_0' || lpad(n::text, 25, '0'), $1, 'flow_' || lpad(flow::text, 26, '0'), 'Flow number ' || flow, 1, status,
    'webhook',
    '{"body":{"id":"order-' || n || '","customer":"Ada Lovelace","total":' || n % 997 || ',"items":[{"sku":"a-1"}]},'
      || '"headers":{"content-type":"application/json","user-agent":"shop/2.1"},"query":{},"method":"POST"}',
    source,
    '{"order":"order-' || n || '","source":"' || source || '","ip":"203.0.113.' || n % 250 || '","userAgent":"shop/2.1"}',
    started_at, CASE WHEN status <> 'running' THEN started_at + duration * interval '1 millisecond' END,
    CASE WHEN status <> 'running' THEN duration END,
    CASE WHEN status = 'completed' THEN '{"accepted":true,"total":' || n % 997 || '}' END,
    CASE status WHEN 'failed' THEN 'POST https://api.example.com/stock/' || n % 40 || ' answered 503'
      WHEN 'timeout' THEN 'The run passed its time limit of 5 min' END,
    CASE WHEN status IN ('failed', 'timeout') THEN 'work' END,
    CASE status WHEN 'failed' THEN 'HTTP_STATUS' WHEN 'timeout' THEN 'TIMEOUT' END,
    2, CASE WHEN status = 'failed' THEN 1 ELSE 0 END, CASE WHEN n % 50 = 0 THEN 1 ELSE 0 END, 300000, 1
  FROM (
    SELECT n, 1 + floor(${flowCount} * power(a, 2))::int AS flow,
      now() - interval '${days} days' + (n::float8 / $2) * interval '${days} days' - interval '1 minute' AS started_at,
      CASE WHEN n > $2::int - 20 THEN 'running' WHEN b < 0.93 THEN 'completed' WHEN b < 0.985 THEN 'failed'
        WHEN b < 0.995 THEN 'cancelled' ELSE 'timeout' END AS status,
      CASE WHEN c < 0.8 THEN 'webhook' WHEN c < 0.95 THEN 'api' WHEN c < 0.99 THEN 'schedule' ELSE 'retry' END AS source,
      (20 * (1 + power(a, 2) * 20) * exp(1.2 * (d + e + f - 1.5)))::int AS duration
    FROM (SELECT n, random() a, random() b, random() c, random() d, random() e, random() f
      FROM generate_series($3::int, $4::int) AS n) AS drawn) AS run`;

const nodes = `
  INSERT INTO node_execution (execution_id, node_id, position, node_name, type, status, started_at, completed_at, output)
  SELECT 'exec_0' || lpad(n::text, 25, '0'), node, position, node, 'transform', 'completed', now(), now(), '{"ok":true}'
  FROM generate_series($1::int, $2::int) AS n, (VALUES ('check', 0), ('work', 1)) AS nodes(node, position)`;

const logs = `
  INSERT INTO log_entry (execution_id, timestamp, level, message)
  SELECT 'exec_0' || lpad(n::text, 25, '0'), now(), 'info', 'order ' || n FROM generate_series($1::int, $2::int) AS n`;

const version = versionColumns({
  trigger: { type: "webhook", config: { method: "POST" } },
  nodes: ["check", "work"].map((id, index) => ({
    id,
    type: "transform",
    name: id,
    position: { x: index * 200, y: 0 },
    config: { transform: "$trigger.body" },
  })),
  edges: [{ source: "check", target: "work" }],
  variables: {},
});

const batch = 100_000;

/** Fills a migrated database; its statistics have to be rebuilt afterwards. */
async function seedExecutions(databaseUrl: string, workspaceId: string, count: number): Promise<void> {
  const client = await connect(databaseUrl);
  try {
    await client.query("SET synchronous_commit = off; SET maintenance_work_mem = '512MB'; SET work_mem = '64MB'");
    await client.query(flows, [workspaceId]);
    await client.query(versions, [workspaceId, version.definition, version.branches]);
    const indexes = await dropIndexes(client);
    for (let first = 1; first <= count; first += batch) {
      const last = Math.min(count, first + batch - 1);
      await client.query(executions, [workspaceId, count, first, last]);
      await client.query(nodes, [first, last]);
      await client.query(logs, [first, last]);
    }
    for (const index of indexes) await client.query(index);
  } finally {
    await client.end();
  }
}

/** Rows are written much faster without indexes. Returns the statements that recreate them. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ indexname: string; indexdef: string }>(
    `SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename = ANY($1)
     AND indexname NOT LIKE '%_pkey'`,
    [tables],
  );
  for (const { indexname } of rows) await client.query(`DROP INDEX "${indexname}"`);
  return rows.map(({ indexdef }) => indexdef);
}
