import { expect, it } from "vitest";
import { patch, post } from "#e2e/support/api-client.ts";
import { createFlow, edge, node, transform } from "#e2e/support/flows.ts";
import { expectInvalid } from "#e2e/support/refusals.ts";

interface Checked {
  readonly problems: readonly unknown[];
  readonly advice: readonly {
    readonly code: string;
    readonly nodeId: string;
    readonly fix: { readonly title: string; readonly definition: Record<string, unknown> } | null;
  }[];
}

const trigger = { type: "manual" };
const check = async (flow: object) => (await post<Checked>("/flows/check", { trigger, ...flow })).data;
const codes = ({ advice }: Checked) => advice.map(({ code }) => code);

it("a fix is a flow that is stored as it is, and has the advice no more", async () => {
  const nodes = [node("stop", "stop"), transform("after", "1")];
  const found = await check({ nodes, edges: [edge("stop", "after")] });
  expect(codes(found)).toEqual(["UNREACHABLE_NODE"]);
  const fixed = found.advice[0]?.fix?.definition ?? {};
  expect(await check(fixed)).toEqual({ problems: [], advice: [] });
  await createFlow(fixed);
});

it("credentials and flows are looked up in the workspace, also through flows that are run", async () => {
  const nodes = [
    node("call", "http-request", { url: "https://api.test/", credential: "nobody's", retry: { maxRetries: 1 } }),
  ];
  expect(codes(await check({ nodes }))).toEqual(["MISSING_CREDENTIAL"]);
  const other = await createFlow({ nodes: [] });
  const own = await createFlow({ nodes: [node("sub", "sub-flow", { flowId: other.id })] });
  expect(codes(await check({ nodes: own.nodes, flowId: own.id }))).toEqual(["INACTIVE_SUBFLOW"]);
  await patch(`/flows/${other.id}`, { nodes: [node("back", "sub-flow", { flowId: own.id })], status: "active" });
  expect(codes(await check({ nodes: own.nodes, flowId: own.id }))).toEqual(["SUBFLOW_CYCLE"]);
  expect(codes(await check({ nodes: [node("sub", "sub-flow", { flowId: "flow_\u0000" })] }))).toEqual([
    "INACTIVE_SUBFLOW",
  ]);
});

it("a graph that could not be stored gets problems and no advice; flowId is text", async () => {
  const cycle = { nodes: [transform("a", "1"), node("stop", "stop")], edges: [edge("a", "a"), edge("stop", "a")] };
  const { problems, advice } = await check(cycle);
  expect([problems.length > 0, advice]).toEqual([true, []]);
  expectInvalid(await post("/flows/check", { trigger, nodes: [], flowId: 7 }), "flowId");
});
