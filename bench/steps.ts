// Three steps with an outside effect, each recorded before the next, answered at the end: beside Restate.
import { join } from "node:path";
import { type Figures, load, printTable, seconds } from "./load.ts";
import { makeFlow, startMillrace } from "./millrace.ts";
import { newDatabase } from "./new-database.ts";
import { onPostgres } from "./on-postgres.ts";
import { startRestate } from "./peers/restate.ts";
import { startTarget } from "./peers/target-server.ts";

const body = { id: "order-1", total: 120 };
const clientCounts = [1, 20];

export async function stepsBenchmark(): Promise<void> {
  const target = await startTarget();
  try {
    await onPostgres(async (postgresUrl, directory) => {
      const restate = await startRestate(join(directory, "restate"), target.url);
      const theirs = await measure(restate.url).finally(restate.stop);
      const millrace = await startMillrace(await newDatabase(postgresUrl, "bench_steps"));
      const own = await makeFlow(millrace, stepsCalling(target.url), edges)
        .then(({ url }) => measure(url))
        .finally(millrace.stop);
      clientCounts.forEach((clients, index) => {
        const title = `three steps with an outside effect, each recorded; ${clients} client${clients > 1 ? "s" : ""}`;
        printTable(title, [
          ["Restate", theirs[index] as Figures],
          ["Millrace", own[index] as Figures],
        ]);
      });
    });
  } finally {
    target.stop();
  }
}

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

async function measure(url: string): Promise<Figures[]> {
  await load({ url, body, clients: 20, seconds: 3 });
  const figures: Figures[] = [];
  for (const clients of clientCounts) figures.push(await load({ url, body, clients, seconds: seconds() }));
  return figures;
}
