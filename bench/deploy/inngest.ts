// Runs through Inngest, from the request that starts one to its recorded end, compared with the embedded engine on the
// same machine. With BENCH_INNGEST=http://127.0.0.1:8288 that is a real server (`inngest dev --no-discovery`),
// otherwise the tests' small one, which has no queue of its own and shows only our part.
import { InngestServer } from "../../e2e/support/inngest/inngest-server.ts";
import type { RunningServer } from "../../e2e/support/server.ts";
import { newDatabase } from "../data/new-database.ts";
import { onPostgres } from "../data/on-postgres.ts";
import { callApi, makeFlow, startMillrace } from "../millrace.ts";
import { startTarget } from "../peers/target-server.ts";

const runs = Number(process.env.BENCH_RUNS ?? 40);
const rounds = 4;
/** About what a nearby service takes to answer. */
const answerMs = 20;

interface Subject {
  readonly title: string;
  readonly times: number;
  readonly nodes: readonly unknown[];
  readonly edges: readonly unknown[];
}

export async function inngestBenchmark(): Promise<void> {
  const given = process.env.BENCH_INNGEST;
  const own = new InngestServer();
  if (given === undefined) await own.start();
  const target = await startTarget();
  const slow = await startTarget(answerMs);
  try {
    await onPostgres(async (postgresUrl) => {
      const servers = {
        embedded: await startMillrace(await newDatabase(postgresUrl, "bench_embedded")),
        inngest: await startMillrace(await newDatabase(postgresUrl, "bench_inngest"), {
          INNGEST_DEV: given ?? own.url,
        }),
      };
      try {
        console.log(`\nRuns in the background, milliseconds, by ${given ?? "the small Inngest of the tests"}`);
        const rows = [];
        for (const subject of subjects(target.url, slow.url)) rows.push(await rowOf(subject, servers));
        console.table(Object.fromEntries(rows));
      } finally {
        for (const server of Object.values(servers)) await server.stop();
      }
    });
  } finally {
    target.stop();
    slow.stop();
    await own.close();
  }
}

function subjects(url: string, slowUrl: string): readonly Subject[] {
  const call = (id: string, url: string) => ({
    id,
    type: "http-request",
    config: { method: "POST", url, body: { id } },
  });
  const branches = Array.from({ length: 50 }, (_, index) => `branch-${index}`);
  const loop = (concurrency: number) => {
    const config = { items: "$trigger.body.items", concurrency, body: { nodes: [call("each", slowUrl)], edges: [] } };
    return { nodes: [{ id: "loop", type: "loop", config }], edges: [] };
  };
  const chain = ["first", "second", "third"];
  return [
    {
      title: "three steps",
      times: runs,
      nodes: chain.map((id) => call(id, url)),
      edges: [
        { source: "first", target: "second" },
        { source: "second", target: "third" },
      ],
    },
    {
      title: "50 branches and their join",
      times: Math.ceil(runs / 4),
      nodes: ["first", ...branches, "join"].map((id) => call(id, slowUrl)),
      edges: branches.flatMap((id) => [
        { source: "first", target: id },
        { source: id, target: "join" },
      ]),
    },
    { title: "100 items, one at a time", times: Math.ceil(runs / 8), ...loop(1) },
    { title: "100 items, ten at a time", times: Math.ceil(runs / 8), ...loop(10) },
  ];
}

/** The medians of a flow's runs on each server, in turns. */
async function rowOf({ title, times, nodes, edges }: Subject, servers: Readonly<Record<string, RunningServer>>) {
  const sides = await Promise.all(
    Object.entries(servers).map(async ([name, server]) => {
      const { id } = await makeFlow(server, nodes, edges);
      await msOfRun(server, id); // The first is not counted.
      return { name, server, id, taken: [] as number[] };
    }),
  );
  const perRound = Math.ceil(times / rounds);
  for (let round = 0; round < rounds; round += 1) {
    for (const { server, id, taken } of sides) {
      for (let time = 0; time < perRound; time += 1) taken.push(await msOfRun(server, id));
    }
  }
  const figures = sides.flatMap(({ name, taken }) => {
    const sorted = taken.toSorted((a, b) => a - b);
    const at = (part: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
    return [
      [`${name} p50`, at(0.5)],
      [`${name} p90`, at(0.9)],
    ];
  });
  return [title, { runs: perRound * rounds, ...Object.fromEntries(figures) }];
}

interface Ended {
  readonly status: string;
  readonly completedAt?: string;
}

/** Milliseconds from before the request that starts a run to its end. */
async function msOfRun(server: RunningServer, flowId: string): Promise<number> {
  const from = Date.now();
  const data = { items: Array.from({ length: 100 }, (_, index) => index) };
  const { executionId } = await callApi<{ executionId: string }>(server, "POST", `/flows/${flowId}/execute`, { data });
  for (const until = from + 120_000; Date.now() < until; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const { status, completedAt } = await callApi<Ended>(server, "GET", `/executions/${executionId}`);
    if (status === "failed") throw new Error(`${executionId} failed`);
    if (completedAt) return Date.parse(completedAt) - from;
  }
  throw new Error(`${executionId} has not ended within two minutes`);
}
