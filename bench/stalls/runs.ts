// What a run keeps while it loops and waits, as large and as hostile as its limits allow.
import type { RunningServer } from "../../e2e/support/server.ts";
import { callApi, makeFlow } from "../millrace.ts";
import { apiCall, type StallCase } from "../stalls.ts";

/** 1 MiB of JSON that takes long to parse. */
const body = `[${"{},".repeat(340_000)}{}]`;

const combined = [
  {
    id: "four",
    type: "transform",
    config: { transform: "[$trigger.body, $trigger.body, $trigger.body, $trigger.body]" },
  },
  {
    id: "other",
    type: "transform",
    config: { transform: "[$trigger.body, $trigger.body, $trigger.body, $trigger.body]" },
  },
  { id: "all", type: "merge", config: { mode: "array" } },
];
const combinedEdges = [
  { source: "four", target: "all" },
  { source: "other", target: "all" },
];
const waiting = { nodes: [{ id: "wait", type: "wait", config: {} }], edges: [] };

const isWaiting = ({ nodes }: Shown, nodeId: string) =>
  nodes.some((node) => node.nodeId === nodeId && node.status === "running");

interface Shown {
  readonly status: string;
  readonly waitingFor?: string;
  readonly nodes: readonly { readonly nodeId: string; readonly status: string }[];
}

async function runUntil(server: RunningServer, id: string, isThere: (run: Shown) => boolean): Promise<void> {
  for (;;) {
    const run = await callApi<Shown>(server, "GET", `/executions/${id}?includeNodeOutputs=false`);
    if (isThere(run)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Starts the flow in the background; returns its run. */
async function start(url: string): Promise<string> {
  const headers = { "content-type": "application/json", prefer: "respond-async" };
  const answer = await fetch(url, { method: "POST", headers, body });
  return answer.headers.get("x-execution-id") ?? "";
}

export const runStalls: readonly StallCase[] = [
  {
    name: "run: a loop over 8 MiB of empty objects waits and is resumed",
    prepare: async (server) => {
      const loop = { id: "loop", type: "loop", config: { items: "$nodes.all.output", concurrency: 2, body: waiting } };
      const { url } = await makeFlow(
        server,
        [...combined, loop],
        [...combinedEdges, { source: "all", target: "loop" }],
      );
      return async () => {
        const id = await start(url);
        await runUntil(server, id, (run) => isWaiting(run, "loop") && run.waitingFor !== undefined);
        // Longer than a run that waits stays in memory.
        await new Promise((resolve) => setTimeout(resolve, 6_000));
        for (const iteration of ["0", "1"]) {
          const address = `${server.url}/api/v1/executions/${id}/nodes/wait/resume?iteration=${iteration}`;
          await (await fetch(address, apiCall(server, {}))).text();
        }
        await runUntil(server, id, ({ status }) => status !== "running" && status !== "pending");
      };
    },
  },
  {
    name: "run: a switch compares 8 MiB with 100 cases",
    prepare: async (server) => {
      const cases = Array.from({ length: 100 }, (_, index) => ({
        id: `c${index}`,
        equals: "{{ $nodes.four.output }}",
      }));
      const choice = { id: "switch", type: "switch", config: { value: "$nodes.all.output", cases } };
      const { url } = await makeFlow(
        server,
        [...combined, choice],
        [...combinedEdges, { source: "all", target: "switch" }],
      );
      return async () => {
        const id = await start(url);
        await runUntil(server, id, ({ status }) => status !== "running" && status !== "pending");
      };
    },
  },
];
