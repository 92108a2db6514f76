// Measures false positives: on our own templates, and on sensible flows of many kinds.
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import { flowEdges, flowNodes, flowTrigger } from "#lib/engine/flow.ts";
import { planNodes } from "#lib/flows/plan-nodes.ts";
import { adviceOnFlow } from "./advice.ts";
import { advise, none } from "./testing/given-flows.ts";
import { sensibleFlows } from "./testing/sensible-flows.ts";

const files = globSync(["examples/*.json", "examples/templates/basics/*.json"]).toSorted();

describe("a sensible flow has no warnings, and at most one piece of advice", () => {
  test("there are eight basic templates, the example and twenty more", () => {
    expect(files.filter((file) => file.includes("templates"))).toHaveLength(8);
    expect(Object.keys(sensibleFlows)).toHaveLength(20);
  });

  test.each(files.map((file) => [basename(file, ".json"), file]))("%s", async (_, file) => {
    const { trigger, nodes, edges } = JSON.parse(readFileSync(file, "utf8"));
    const flow = { trigger: flowTrigger.parse(trigger), nodes: flowNodes.parse(nodes), edges: flowEdges.parse(edges) };
    const context = { references: none, ownId: null, callerWaitsMs: 25_000 };
    requireFew(await adviceOnFlow(flow, await planNodes("ws", flow), context));
  });

  test.each(Object.entries(sensibleFlows))("%s", async (_, given) => {
    const references = { credentials: new Set(["in", "shop"]), ...given.references };
    requireFew(await advise({ ...given, references }));
  });
});

function requireFew(
  advice: readonly { readonly code: string; readonly severity: string; readonly nodeId: string | null }[],
) {
  const lines = advice.map(({ code, severity, nodeId }) => `${severity} ${code} ${nodeId ?? ""}`);
  expect(lines.filter((line) => !line.startsWith("info"))).toEqual([]);
  expect(lines.slice(1)).toEqual([]);
}
