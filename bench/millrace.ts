// Millrace under measurement: the production build, started like `npm start`, on its own database.
import { resolve } from "node:path";
import { type RunningServer, startServer } from "../e2e/support/server.ts";
import { newDatabase } from "./data/new-database.ts";
import { measureInTurns, printTable } from "./load.ts";

const secret = "benchmark-secret-benchmark-secret";

export interface Checkout {
  readonly name: string;
  /** Its folder; not set for this one. */
  readonly project?: string;
}

/** What to measure: this checkout, and before it the one that BENCH_BASE names, which must be built. */
export function checkouts(): Checkout[] {
  const base = process.env.BENCH_BASE;
  const own = { name: "this checkout" };
  return base === undefined ? [own] : [{ name: "before", project: resolve(base) }, own];
}

export function startMillrace(
  databaseUrl: string,
  env: Record<string, string> = {},
  { project }: Partial<Checkout> = {},
): Promise<RunningServer> {
  return startServer({
    ...(project === undefined ? {} : { project }),
    env: {
      DATABASE_URL: databaseUrl,
      AUTH_SECRET: secret,
      ENCRYPTION_KEY: secret,
      // A database filled by another start has them already.
      BOOTSTRAP_PASSWORD: secret,
      BOOTSTRAP_API_KEY: secret,
      PUBLIC_URL: undefined,
      ...env,
    },
  });
}

/** Calls the API and returns the payload; throws unless it is a success. */
export async function callApi<Payload>(server: RunningServer, method: string, path: string, body?: unknown) {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${server.apiKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer.data as Payload;
}

interface MadeFlow {
  readonly id: string;
  readonly trigger: { readonly config: { readonly url: string } };
}

/** Creates an active flow with a trigger URL. */
export async function makeFlow(server: RunningServer, nodes: readonly unknown[], edges: readonly unknown[]) {
  const trigger = { type: "webhook", config: { method: "POST" } };
  const flow = { name: "Benchmark", status: "active", trigger, nodes, edges };
  const { id, trigger: made } = await callApi<MadeFlow>(server, "POST", "/flows", flow);
  return { id, url: made.config.url };
}

interface MeasuredFlow {
  readonly nodes: readonly object[];
  readonly edges: readonly object[];
  /** The body of its calls. */
  readonly body: object;
}

/** Calls one flow in all checkouts in turns, each with its own database in one PostgreSQL, and prints their figures. */
export async function measureCheckouts(
  postgresUrl: string,
  { nodes, edges, body }: MeasuredFlow,
  { title, clients }: { readonly title: string; readonly clients: number },
): Promise<void> {
  const servers: RunningServer[] = [];
  try {
    const sides: { url: string; body: object; clients: number }[] = [];
    for (const checkout of checkouts()) {
      const database = await newDatabase(postgresUrl, `bench_${clients}_${servers.length}`);
      const server = await startMillrace(database, {}, checkout);
      servers.push(server);
      sides.push({ url: (await makeFlow(server, nodes, edges)).url, body, clients });
    }
    const figures = await measureInTurns(sides);
    printTable(
      title,
      checkouts().flatMap(({ name }, index) => (figures[index] ? [[name, figures[index]] as const] : [])),
    );
  } finally {
    for (const server of servers) await server.stop();
  }
}
