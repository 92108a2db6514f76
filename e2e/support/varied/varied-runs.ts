// All varied runs, and their environment.
import { post } from "../api-client.ts";
import { createFlow, edge, node } from "../flows.ts";
import { callRuns } from "./call-runs.ts";
import { controlRuns } from "./control-runs.ts";
import { loopRuns } from "./loop-runs.ts";
import { sharedRuns } from "./shared-runs.ts";
import { triggerRuns } from "./trigger-runs.ts";
import { type Environment, send, transform } from "./varied-run.ts";
import { variedService } from "./varied-service.ts";
import { waitRuns } from "./wait-runs.ts";

export const variedRuns = { ...controlRuns, ...loopRuns, ...waitRuns, ...callRuns, ...sharedRuns, ...triggerRuns };

let made = 0;

/** A run's own environment. Its service closes when the test ends. */
export async function createEnvironment(): Promise<Environment> {
  const service = await variedService();
  made += 1;
  const credential = `service${made}`;
  const columns = [
    { name: "n", type: "number", unique: true },
    { name: "note", type: "text" },
  ];
  const table = `varied ${made}`;
  for (const [path, body] of [
    ["/credentials", { name: credential, type: "bearer", data: { token: "t0p-5ecret" } }],
    ["/tables", { name: table, columns }],
  ] as const) {
    const { status, text } = await post(path, body);
    if (status !== 201) throw new Error(text);
  }
  const child = await createFlow({ name: "Child", nodes: [transform("double", "$trigger.body.n * 2")] });
  const failing = await createFlow({ name: "Failing", nodes: [transform("breaks", "$trigger.body.missing.x")] });
  const asking = await createFlow({
    name: "Asking",
    nodes: [
      send("ask", service.url, { body: { n: "{{ $trigger.body.n }}" } }),
      node("pause", "delay", { ms: 5 }),
      node("sub", "sub-flow", { flowId: child.id, data: { n: 4 } }),
      transform("both", "[$nodes.ask.output.body.id, $node.output.output, Math.random()]"),
    ],
    edges: [edge("ask", "pause"), edge("pause", "sub"), edge("sub", "both")],
  });
  return { service, child: child.id, failing: failing.id, asking: asking.id, credential, table };
}
