// Three steps with an outside effect, each recorded before the next, answered at the end: compared with Restate.
import { join } from "node:path";
import { newDatabase } from "./data/new-database.ts";
import { onPostgres } from "./data/on-postgres.ts";
import { type Figures, measureInTurns, printTable } from "./load.ts";
import { makeFlow, startMillrace } from "./millrace.ts";
import { startRestate } from "./peers/restate.ts";
import { startTarget } from "./peers/target-server.ts";

const body = { id: "order-1", total: 120 };
const clientCounts = [1, 20];

export async function stepsBenchmark(): Promise<void> {
  const target = await startTarget();
  try {
    await onPostgres(async (postgresUrl, directory) => {
      const restate = await startRestate(join(directory, "restate"), target.url);
      const millrace = await startMillrace(await newDatabase(postgresUrl, "bench_steps"));
      try {
        const own = await makeFlow(millrace, stepsCalling(target.url), edges);
        for (const clients of clientCounts) {
          const sides = [restate.url, own.url].map((url) => ({ url, body, clients }));
          const [theirs, ours] = await measureInTurns(sides);
          const title = `three steps with an outside effect, each recorded; ${clients} client${clients > 1 ? "s" : ""}`;
          printTable(title, [
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
