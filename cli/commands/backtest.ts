import { setTimeout as sleep } from "node:timers/promises";
import { createBacktest, readBacktest } from "#lib/contract/flows/backtests.ts";
import type { Command } from "../context.ts";
import { exitCodes, Failure } from "../failure.ts";
import { requireText } from "../folder/flow-files.ts";
import { documentOf } from "../folder/texts.ts";
import { serverOf } from "../server/server.ts";
import { findServerFlow } from "../server/server-flows.ts";

const pollMs = 500;
/** The maximum number of runs listed per verdict. */
const listedMax = 20;

/** Replays a flow's past runs on the server with the flow as written here. Runs with a different result are differences. */
export const backtest: Command<[string], { readonly last?: string; readonly server?: boolean }> = async (
  { terminal, environment },
  { last, server: isServers = false },
  wanted,
) => {
  const server = serverOf(environment);
  const { id, name, file } = await findServerFlow(server, wanted);
  if (file === undefined && !isServers) {
    throw new Failure("usage", `No file here is "${name}": pull it, or pass --server to use the server's version`);
  }
  const count = last === undefined ? undefined : Number(last);
  if (count !== undefined && !(Number.isInteger(count) && count >= 1))
    throw new Failure("usage", "--last needs a number");
  const made = await server.call(createBacktest, {
    params: { id },
    body: {
      ...(file === undefined || isServers ? {} : { definition: definitionOf(file) }),
      ...(count === undefined ? {} : { last: count }),
    },
  });
  const params = { id, backtestId: made.backtestId };
  let at = await server.call(readBacktest, { params, query: { limit: 1 } });
  while (at.status === "running") {
    terminal.progress(`${name}: ${at.done} of ${at.total} runs`);
    await sleep(pollMs);
    at = await server.call(readBacktest, { params, query: { limit: 1 } });
  }
  terminal.done();
  const { counts } = at;
  terminal.print(
    `${name}: ${at.done} runs: ${Object.entries(counts)
      .map(([kind, runs]) => `${runs} ${kind}`)
      .join(", ")}`,
  );
  const different = [];
  for (const verdict of ["broken", "changed", "mended"] as const) {
    const { runs } = await server.call(readBacktest, { params, query: { verdict, limit: listedMax } });
    different.push(...runs);
    for (const { executionId, first, reason } of runs) {
      const where = first === null ? (reason ?? "") : first.path;
      terminal.print(`  ${terminal.paint(verdict === "mended" ? "green" : "red", verdict)} ${executionId} ${where}`);
    }
  }
  if (at.status !== "completed") throw new Failure("server", `The backtest ended as ${at.status}: ${at.error ?? ""}`);
  terminal.printJson({ backtestId: made.backtestId, counts, total: at.total, different });
  return counts.broken + counts.changed > 0 ? exitCodes.differs : exitCodes.ok;
};

function definitionOf(file: string) {
  const { trigger, nodes, edges, variables = {} } = documentOf(requireText(file), file).flow;
  return { trigger, nodes: nodes.map((node) => ({ ...node })), edges: [...edges], variables };
}
