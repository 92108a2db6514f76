import { expect, it } from "vitest";
import { get, patch } from "#e2e/support/api-client.ts";
import { createFlow, execute, transform } from "#e2e/support/flows.ts";
import { expectRefusal } from "#e2e/support/refusals.ts";

interface Plan {
  readonly flowVersion: number;
  readonly originalVersion: number;
  readonly problem: string | null;
  readonly nodes: { readonly nodeId: string; readonly plan: string }[];
}

const chain = [
  transform("a", "1"),
  transform("b", "$trigger.body.missing.id"),
  transform("c", "3"),
  transform("aside", "4"),
];
const edges = [
  { source: "a", target: "b" },
  { source: "b", target: "c" },
];
const planOf = async (id: string, query = "") => (await get<Plan>(`/executions/${id}/retry-plan${query}`)).data;
const plans = ({ nodes }: Plan) => Object.fromEntries(nodes.map(({ nodeId, plan }) => [nodeId, plan]));

it("a plan says what is reused and what runs, on the version that would run", async () => {
  const flow = await createFlow({ nodes: chain, edges });
  const { executionId } = await execute(flow.id);
  expect(plans(await planOf(executionId))).toEqual({ a: "runs", b: "runs", c: "runs", aside: "runs" });
  expect(plans(await planOf(executionId, "?fromNode=b"))).toEqual({
    a: "reused",
    b: "runs",
    c: "runs",
    aside: "reused",
  });
  await patch(`/flows/${flow.id}`, { variables: { changed: true } });
  expect(await planOf(executionId)).toMatchObject({ originalVersion: 1, flowVersion: 2, problem: null });
});

it("a plan says why a run cannot start at a node", async () => {
  const flow = await createFlow({ nodes: chain, edges });
  const { executionId } = await execute(flow.id);
  expect((await planOf(executionId, "?fromNode=c")).problem).toContain("has no output");
  expect((await planOf(executionId, "?fromNode=nothing")).problem).toContain('no node "nothing"');
});

it("404 for a missing execution", async () => {
  expectRefusal(await get("/executions/exec_nothing/retry-plan"), 404, "NOT_FOUND");
});
