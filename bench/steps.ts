// Three steps with an outside effect, each recorded before the next, answered at the end: compared with Restate.
import { join } from "node:path";
import { newDatabase } from "./data/new-database.ts";
import { onPostgres } from "./data/on-postgres.ts";
import { type Figures, measureInTurns, printTable } from "./load.ts";
import { makeFlow, measureCheckouts, startMillrace } from "./millrace.ts";
import { startRestate } from "./peers/restate.ts";
import { startTarget } from "./peers/target-server.ts";

const body = { id: "order-1", total: 120 };
const clientCounts = [1, 20];

/** With BENCH_BASE, measures that checkout and this one instead of Restate. */
export async function stepsBenchmark(): Promise<void> {
  const target = await startTarget();
  try {
    await onPostgres(async (postgresUrl, directory) => {
      if (process.env.BENCH_BASE !== undefined) {
        const flow = { nodes: stepsCalling(target.url), edges, body };
        for (const clients of clientCounts) {
          await measureCheckouts(postgresUrl, flow, { title: titleWith(clients), clients });
        }
        return;
      }
      const restate = await startRestate(join(directory, "restate"), target.url);
      const millrace = await startMillrace(await newDatabase(postgresUrl, "bench_steps"));
      try {
        const own = await makeFlow(millrace, stepsCalling(target.url), edges);
        for (const clients of clientCounts) {
          const sides = [restate.url, own.url].map((url) => ({ url, body, clients }));
          const [theirs, ours] = await measureInTurns(sides);
          printTable(titleWith(clients), [
            ["Restate", theirs as Figures],
            ["Millrace", ours as Figures],
          ]);
        }
      } finally {
        await restate.stop();
        await millrace.stop();
      }
    });
  } finally {
    target.stop();
  }
}

const titleWith = (clients: number) =>
  `three steps with an outside effect, each recorded; ${clients} client${clients > 1 ? "s" : ""}`;

const edges = [
  { source: "first", target: "second" },
  { source: "second", target: "third" },
];

function stepsCalling(url: string) {
  const step = (id: string, body: unknown) => ({ id, type: "http-request", config: { method: "POST", url, body } });
  return [
    step("first", { step: 1, id: "{{ $trigger.body.id }}", total: "{{ $trigger.body.total }}" }),
    step("second", { step: 2, id: "{{ $node.output.body.id }}", total: "{{ $node.output.body.total }}" }),
    step("third", { step: 3, id: "{{ $node.output.body.id }}", total: "{{ $node.output.body.total }}" }),
  ];
}
