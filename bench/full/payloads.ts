// 1 MiB in and out at 20 clients: a bare Node server that parses, checks and stores the same bytes, and Millrace, where a
// node passes the body on and the run keeps it. Then how long Millrace's event loop stalls, and ordinary calls beside it.
// BENCH_BYTES sets another size.
import { fork } from "node:child_process";
import { once } from "node:events";
import { newDatabase } from "../data/new-database.ts";
import { onPostgres } from "../data/on-postgres.ts";
import { load, measureInTurns, printTable, seconds } from "../load.ts";
import { makeFlow, startMillrace } from "../millrace.ts";
import { freePort } from "../peers/child-server.ts";

const bytes = () => Number(process.env.BENCH_BYTES ?? 1_048_576);
const clients = 20;
const ordinaryRate = 50;
/** An answer takes up to two seconds. */
const turnSeconds = 15;

/** An order with as many lines as fit. */
export function orderOf(size: number): object {
  const line = (number: number) => ({
    sku: `sku-${number}`,
    name: "A chair of oak, oiled",
    quantity: 1 + (number % 9),
    price: 19.9 + number,
    tags: ["oak", "chair"],
    inStock: number % 3 > 0,
  });
  const lineBytes = JSON.stringify(line(10_000)).length + 1;
  const lines = Math.floor((size - 200) / lineBytes);
  return {
    id: "order-1",
    customer: "Ada Lovelace",
    total: 120,
    lines: Array.from({ length: lines }, (_, n) => line(n)),
  };
}

const small = { id: "order-1", total: 120 };
/** A flow that answers with the body of its call. */
export const passOn = [{ id: "pass", type: "transform", config: { transform: "$trigger.body" } }];
const shape = [{ id: "shape", type: "transform", config: { transform: "({ total: $trigger.body.total * 2 })" } }];

export async function payloadsBenchmark(): Promise<void> {
  await onPostgres(async (postgresUrl) => {
    const bare = await startBareServer(await newDatabase(postgresUrl, "bench_payloads_bare"));
    const port = await freePort();
    const server = await startMillrace(await newDatabase(postgresUrl, "bench_payloads"), {
      BENCH_LOOP_PORT: String(port),
      BENCH_FIRST: process.env.BENCH_FIRST ?? "",
      NODE_OPTIONS: `--import ${new URL("../stalls/loop-watch.ts", import.meta.url).href}`,
    });
    try {
      const large = await makeFlow(server, passOn, []);
      const ordinary = await makeFlow(server, shape, []);
      const body = orderOf(bytes());
      const sides = [bare.url, large.url].map((url) => ({ url, body, clients }));
      const [limit, own] = await measureInTurns(sides, turnSeconds);
      if (limit === undefined || own === undefined) return;
      printTable(`${JSON.stringify(body).length} bytes in and out, ${clients} clients`, [
        ["bare Node HTTP: parsed, checked, one row", limit],
        ["Millrace", own],
      ]);
      await load({ url: ordinary.url, body: small, clients: 5, seconds: 3, rate: ordinaryRate });
      const alone = await load({ url: ordinary.url, body: small, clients: 5, seconds: seconds(), rate: ordinaryRate });
      await longest(port);
      const [beside] = await Promise.all([
        load({ url: ordinary.url, body: small, clients: 5, seconds: seconds(), rate: ordinaryRate }),
        load({ url: large.url, body, clients, seconds: seconds() }),
      ]);
      const stall = await longest(port);
      console.log(`\nordinary calls, ${ordinaryRate} a second`);
      console.table({ alone, "beside 20 clients with large bodies": beside });
      console.log("the longest stall of the event loop meanwhile, and the CPU time of its thread in one turn", stall);
    } finally {
      await server.stop();
      bare.stop();
    }
  });
}

/** The longest stall since the last call. */
async function longest(port: number): Promise<unknown> {
  return await (await fetch(`http://127.0.0.1:${port}`)).json();
}

async function startBareServer(databaseUrl: string): Promise<{ url: string; stop(): void }> {
  const child = fork(new URL("./payload-server.ts", import.meta.url), {
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });
  const [port] = await once(child, "message");
  return { url: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
}
