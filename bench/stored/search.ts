// What a search costs among 100,000 flows of one workspace, as the command palette searches: eight flows, the best
// first. Compared with plain requests to the same server. BENCH_FLOWS sets another number of flows.
import { connect } from "#lib/platform/database/connect.ts";
import { newDatabase } from "../data/new-database.ts";
import { onPostgres } from "../data/on-postgres.ts";
import { callApi, startMillrace } from "../millrace.ts";

const size = () => Number(process.env.BENCH_FLOWS ?? 100_000);
const [warmTurns, turns] = [20, 200];

/** Search texts, and how many of 100,000 flows match. */
const searches = ["shipping export 4711", "4711 ship", "order 99 int", "refund 512", "newsletter alert 7", "order"];

const flows = `
  INSERT INTO flow (id, workspace_id, hook_id, name, description, status, tags, version, created_at, updated_at)
  SELECT 'flow_' || lpad(n::text, 26, '0'), workspace.id, 'hook_' || n,
    (ARRAY['Order', 'Shipping', 'Invoice', 'Customer', 'Stock', 'Payment', 'Refund', 'Newsletter'])[1 + n % 8] || ': ' ||
      (ARRAY['intake', 'export', 'report', 'sync', 'import', 'alert'])[1 + (n / 8) % 6] || ' ' || n,
    'Takes what the shop sends, checks it against the warehouse and tells the team', 'draft', '{}', 1, now(),
    now() - n * interval '1 minute'
  FROM workspace, generate_series(1, $1::int) AS n`;

const versions = `
  INSERT INTO flow_version (flow_id, version, definition, branches, created_at)
  SELECT id, 1, '{"trigger":{"type":"manual","config":{}},"nodes":[],"edges":[],"variables":{}}',
    '{"handles":{},"ambiguous":[]}', now() FROM flow`;

export async function searchBenchmark(): Promise<void> {
  await onPostgres(async (serverUrl) => {
    const databaseUrl = await newDatabase(serverUrl, "searched");
    const server = await startMillrace(databaseUrl);
    try {
      await fill(databaseUrl);
      const rows: Record<string, unknown> = { "(a plain request)": await measure(server, "/account") };
      for (const text of searches) {
        const query = new URLSearchParams({ search: text, limit: "8", sortBy: "relevance" });
        rows[text] = await measure(server, `/flows?${query}`);
      }
      console.log(`\n${size()} flows of one workspace; one client, ${turns} requests each, over HTTP`);
      console.table(rows);
    } finally {
      await server.stop();
    }
  });
}

/** The index is created afterwards, which is faster. */
async function fill(databaseUrl: string): Promise<void> {
  const client = await connect(databaseUrl);
  try {
    const { rows } = await client.query("SELECT indexdef FROM pg_indexes WHERE indexname = 'flow_search_idx'");
    await client.query("DROP INDEX flow_search_idx");
    await client.query(flows, [size()]);
    await client.query(versions);
    await client.query(rows[0].indexdef);
    await client.query("VACUUM ANALYZE");
  } finally {
    await client.end();
  }
}

async function measure(server: Awaited<ReturnType<typeof startMillrace>>, path: string) {
  const times: number[] = [];
  for (let turn = 0; turn < warmTurns + turns; turn += 1) {
    const startedAt = performance.now();
    await callApi(server, "GET", path);
    if (turn >= warmTurns) times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => Number((times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(1));
  return { "p50 ms": at(0.5), "p95 ms": at(0.95) };
}
