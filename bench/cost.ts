// What a call costs: CPU time of the server and of the database, and bytes on disk, at two rates. Linux only.
import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import { newDatabase } from "./data/new-database.ts";
import { onPostgres } from "./data/on-postgres.ts";
import { load, seconds } from "./load.ts";
import { makeFlow, startMillrace } from "./millrace.ts";
import { startTarget } from "./peers/target-server.ts";

const body = { id: "order-1", customer: "Ada", total: 120, items: [{ sku: "a-1", quantity: 2, price: 60 }] };
/** Calls a second: about a tenth of what two cores do, and four tenths. */
const rates = [200, 800];
const warmUpSeconds = 5;

interface Flow {
  readonly nodes: readonly object[];
  readonly edges: readonly object[];
}

const short: Flow = {
  nodes: [
    { id: "check", type: "if-else", config: { condition: "$trigger.body.total > 100" } },
    { id: "shape", type: "transform", config: { transform: "({ total: $trigger.body.total * 2 })" } },
  ],
  edges: [{ source: "check", target: "shape", sourceHandle: "true" }],
};

function requests(url: string): Flow {
  const ids = ["first", "second", "third"];
  const config = { method: "POST", url, body: { total: "{{ $trigger.body.total }}" } };
  return {
    nodes: ids.map((id) => ({ id, type: "http-request", config })),
    edges: ids.slice(1).map((target, at) => ({ source: ids[at], target })),
  };
}

const coded: Flow = {
  nodes: [{ id: "code", type: "code", config: { code: "return { a: $trigger.body.id }" } }],
  edges: [],
};

export async function costBenchmark(): Promise<void> {
  const target = await startTarget();
  try {
    await onPostgres(async (postgresUrl) => {
      const databaseUrl = await newDatabase(postgresUrl, "bench_cost");
      const server = await startMillrace(databaseUrl, { OUTBOUND_ALLOW: "127.0.0.1" });
      const database = new pg.Client(databaseUrl);
      await database.connect();
      try {
        const rows: Record<string, object> = {};
        for (const [name, flow] of Object.entries({ short, "three requests": requests(target.url), code: coded })) {
          const { url } = await makeFlow(server, flow.nodes, flow.edges);
          await load({ url, body, clients: 20, seconds: warmUpSeconds, rate: rates[0] });
          for (const rate of rates)
            rows[`${name}, ${rate} a second`] = await costAt({ database, serverId: server.pid }, { url, rate });
        }
        console.log("\nper call: microseconds of CPU time, and bytes in the database and in its write-ahead log");
        console.table(rows);
      } finally {
        await database.end();
        await server.stop();
      }
    });
  } finally {
    target.stop();
  }
}

interface Measured {
  readonly database: pg.Client;
  /** The server's process. */
  readonly serverId: number;
}

async function costAt(of: Measured, { url, rate }: { readonly url: string; readonly rate: number }) {
  const before = await used(of);
  const figures = await load({ url, body, clients: 20, seconds: seconds(), rate });
  const after = await used(of);
  const calls = figures.callsPerSecond * seconds();
  const each = (kind: keyof typeof after) => Math.round((after[kind] - before[kind]) / calls);
  return {
    calls,
    p99Ms: figures.p99Ms,
    server: each("server"),
    sandbox: each("sandbox"),
    database: each("database"),
    stored: each("stored"),
    log: each("log"),
  };
}

async function used({ database, serverId }: Measured) {
  const { rows } = await database.query(
    "SELECT pg_database_size(current_database()) AS stored, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS log",
  );
  return { ...cpuTimes(serverId), stored: Number(rows[0].stored), log: Number(rows[0].log) };
}

interface Process {
  readonly parent: number;
  readonly name: string;
  readonly micros: number;
}

/** CPU time that processes below this one have used, in microseconds. The load itself is this process's own. */
function cpuTimes(serverId: number): { server: number; sandbox: number; database: number } {
  const all = new Map(readdirSync("/proc").flatMap((entry) => readProcess(entry)));
  const sums = { server: 0, sandbox: 0, database: 0 };
  for (const [id, { name, micros }] of all) {
    if (!isBelow(all, id)) continue;
    if (name.startsWith("postgres")) sums.database += micros;
    else if (id === serverId) sums.server += micros;
    else sums.sandbox += micros;
  }
  return sums;
}

const ticksPerSecond = 100;

function readProcess(entry: string): [number, Process][] {
  if (!/^\d+$/.test(entry)) return [];
  try {
    const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
    const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
    // The state follows the name; then its parent, and ten fields later its ticks in user and in system mode.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    return [[Number(entry), { parent: Number(fields[1]), name, micros: (ticks * 1_000_000) / ticksPerSecond }]];
  } catch {
    return [];
  }
}

function isBelow(all: ReadonlyMap<number, Process>, id: number): boolean {
  for (let at = all.get(id)?.parent ?? 0; at > 1; at = all.get(at)?.parent ?? 0) if (at === process.pid) return true;
  return false;
}
