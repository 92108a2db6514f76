import { followExecution } from "#lib/client/events.ts";
import { listExecutions } from "#lib/contract/executions/executions.ts";
import { readExecutionLogs } from "#lib/contract/executions/logs.ts";
import type { StreamEvent } from "#lib/contract/executions/stream.ts";
import type { Command } from "../context.ts";
import { exitCodes, Failure } from "../failure.ts";
import { type Server, serverOf } from "../server/server.ts";
import { findServerFlow } from "../server/server-flows.ts";
import { printEvent } from "./run.ts";

/** Prints the log of a run by id, or of a flow's latest run. */
export const logs: Command<[string], { readonly follow?: boolean }> = async (
  { terminal, environment },
  { follow = false },
  wanted,
) => {
  const server = serverOf(environment);
  const id = wanted.startsWith("exec_") ? wanted : await latestRun(server, wanted);
  terminal.warn(`${server.url}/runs/${id}`);
  if (follow) {
    for await (const event of followExecution(server.connection, id)) {
      if ((event as StreamEvent).event === "log") printEvent(terminal, event as StreamEvent);
    }
    return exitCodes.ok;
  }
  const entries = await server.call(readExecutionLogs, { params: { id } });
  for (const { timestamp, level, nodeId, message } of entries) {
    terminal.print(`${terminal.paint("dim", timestamp)} ${level.padEnd(7)} ${nodeId ?? "run"}: ${message}`);
  }
  terminal.printJson({ executionId: id, logs: entries });
  return exitCodes.ok;
};

async function latestRun(server: Server, flowName: string): Promise<string> {
  const { id: flowId, name } = await findServerFlow(server, flowName);
  const { payload } = await server.send(listExecutions, { query: { flowId, limit: 1 } });
  const [latest] = payload as unknown as { readonly id: string }[];
  if (latest === undefined) throw new Failure("usage", `"${name}" has no runs yet`);
  return latest.id;
}
