// What a call costs: CPU time of the server and of the database, and bytes on disk, at two rates. Linux only.
import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import type { RunningServer } from "../e2e/support/server.ts";
import { newDatabase } from "./data/new-database.ts";
import { onPostgres } from "./data/on-postgres.ts";
import { orderOf, passOn } from "./full/payloads.ts";
import { load, seconds } from "./load.ts";
import { type Checkout, checkouts, makeFlow, startMillrace } from "./millrace.ts";
import { startTarget } from "./peers/target-server.ts";

const small = { id: "order-1", customer: "Ada", total: 120, items: [{ sku: "a-1", quantity: 2, price: 60 }] };
/** Calls per second: about 10 % and 40 % of what two cores can do. */
const rates = [200, 800];
const largeRates = [2, 4];
const warmUpSeconds = 5;

interface Flow {
  readonly nodes: readonly object[];
  readonly edges: readonly object[];
  /** The body of its calls; default: a small order. */
  readonly body?: object;
  readonly rates?: readonly number[];
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
    edges: ids.slice(1).map((target, index) => ({ source: ids[index], target })),
  };
}

const coded: Flow = {
  nodes: [{ id: "code", type: "code", config: { code: "return { a: $trigger.body.id }" } }],
  edges: [],
};

const large: Flow = { nodes: passOn, edges: [], body: orderOf(1_048_576), rates: largeRates };

/** With BENCH_BASE, another built checkout of the project, measures both in turns. */
export async function costBenchmark(): Promise<void> {
  const target = await startTarget();
  const sides: Side[] = [];
  try {
    await onPostgres(async (postgresUrl) => {
      try {
        for (const checkout of checkouts()) sides.push(await startSide(postgresUrl, checkout));
        const rows: Record<string, object> = {};
        for (const [name, flow] of Object.entries({
          short,
          "three requests": requests(target.url),
          code: coded,
          "1 MiB": large,
        })) {
          if (!name.includes(process.env.BENCH_CASES ?? "")) continue;
          const called = await Promise.all(sides.map(async (side) => ({ ...side, ...(await callable(side, flow)) })));
          for (const rate of flow.rates ?? rates)
            for (const side of called)
              rows[`${name}, ${rate} a second${sides.length === 1 ? "" : `, ${side.name}`}`] = await costAt(side, rate);
        }
        console.log("\nper call: microseconds of CPU time, and bytes in the database and in its write-ahead log");
        console.table(rows);
      } finally {
        for (const { server, database } of sides) {
          await database.end();
          await server.stop();
        }
      }
    });
  } finally {
    target.stop();
  }
}

async function startSide(postgresUrl: string, checkout: Checkout): Promise<Side> {
  const { name } = checkout;
  const databaseUrl = await newDatabase(postgresUrl, `bench_cost_${name.replace(" ", "_")}`);
  const server = await startMillrace(databaseUrl, { OUTBOUND_ALLOW: "127.0.0.1" }, checkout);
  const database = new pg.Client(databaseUrl);
  await database.connect();
  return { name, server, database };
}

async function callable({ server }: Side, flow: Flow) {
  const { url } = await makeFlow(server, flow.nodes, flow.edges);
  const { body = small, rates: [rate] = rates } = flow;
  await load({ url, body, clients: 20, seconds: warmUpSeconds, rate });
  return { url, body };
}

interface Side {
  readonly name: string;
  readonly server: RunningServer;
  readonly database: pg.Client;
}

async function costAt(side: Side & { readonly url: string; readonly body: object }, rate: number) {
  const before = await used(side);
  const figures = await load({ url: side.url, body: side.body, clients: 20, seconds: seconds(), rate });
  const after = await used(side);
  const calls = figures.callsPerSecond * seconds();
  const perCall = (kind: keyof typeof after) => Math.round((after[kind] - before[kind]) / calls);
  return {
    calls,
    p99Ms: figures.p99Ms,
    server: perCall("server"),
    sandbox: perCall("sandbox"),
    database: perCall("database"),
    stored: perCall("stored"),
    log: perCall("log"),
  };
}

async function used({ database, server }: Side) {
  const { rows } = await database.query(
    "SELECT pg_database_size(current_database()) AS stored, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS log",
  );
  return { ...cpuTimes(server.pid), stored: Number(rows[0].stored), log: Number(rows[0].log) };
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
