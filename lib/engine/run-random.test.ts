// Compares random flows, run with random delays, with a model that processes nodes one by one.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Graph, GraphEdge } from "./compile.ts";
import type { Outcome } from "./outcome.ts";
import { runFlow } from "./run.ts";
import { done, edge, failure, graphOf, node, plainIo, workOf } from "./testing/flows.ts";

interface Plan {
  readonly id: string;
  readonly fails: boolean;
  /** The handle that it leaves by when it completes. */
  readonly handle: "true" | "false" | null;
  /** Turns of the event loop that its work takes. */
  readonly turns: number;
}

const sizeMax = 9;
const handles = fc.constantFrom(undefined, undefined, "true", "false", "error");

const plans = fc
  .tuple(
    fc.array(fc.tuple(fc.nat(9), fc.constantFrom("true", "false", null), fc.nat(4)), {
      minLength: 1,
      maxLength: sizeMax,
    }),
    fc.array(fc.tuple(fc.nat(sizeMax), fc.nat(sizeMax), handles), { maxLength: 20 }),
  )
  .map(([drawn, pairs]) => {
    const nodes = drawn.map(
      ([luck, handle, turns], index): Plan => ({ id: `n${index}`, fails: luck === 0, handle, turns }),
    );
    const edges = pairs
      .filter(([from, to]) => from < to && to < nodes.length)
      .map(([from, to, handle]) => edge(`n${from}${handle === undefined ? "" : `:${handle}`} -> n${to}`));
    // Of type `step`, so that plain edges stay plain and handles are literal.
    return {
      nodes,
      graph: graphOf(
        nodes.map(({ id }) => node(id)),
        edges,
      ),
    };
  });

const outcomeOf = ({ id, fails, handle }: Plan): Outcome => (fails ? failure : done(id, handle));

function isTaken({ handle }: GraphEdge, source: Outcome | undefined): boolean {
  if (source?.status === "failed") return handle === "error";
  return source?.status === "completed" && (handle === null || handle === source.handle);
}

/** Every node's outcome if no failure stopped the run. */
function model(graph: Graph, byId: ReadonlyMap<string, Plan>): Map<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  for (const { node: own, incoming } of graph.order) {
    const isReached = incoming.length === 0 || incoming.some((item) => isTaken(item, outcomes.get(item.source)));
    outcomes.set(own.id, isReached ? outcomeOf(byId.get(own.id) as Plan) : { status: "skipped" });
  }
  return outcomes;
}

async function turnsOfLoop(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe("random flows", () => {
  test("without a failure that stops the run, every node has the model's outcome", async () => {
    const property = fc.asyncProperty(plans, async ({ nodes, graph }) => {
      const byId = new Map(nodes.map((item) => [item.id, item]));
      const expected = model(graph, byId);
      const stops = graph.order.some((item) => expected.get(item.node.id)?.status === "failed" && !item.catches);
      fc.pre(!stops);
      const runs: string[] = [];
      const result = await runFlow(
        graph,
        plainIo(),
        workOf(async ({ id }) => {
          runs.push(id);
          const plan = byId.get(id) as Plan;
          await turnsOfLoop(plan.turns);
          return outcomeOf(plan);
        }),
      );
      expect(new Set(runs).size).toBe(runs.length);
      expect(result.failure).toBeNull();
      for (const [id, outcome] of expected) expect([id, result.outcomes.get(id)?.status]).toEqual([id, outcome.status]);
      const reached = [...expected].filter(([, { status }]) => status !== "skipped").map(([id]) => id);
      expect(runs.toSorted()).toEqual(reached.toSorted());
    });
    await fc.assert(property, { numRuns: 300 });
  });

  test("with one, every node that ran was reached, nothing starts after the failure, and all that started ended", async () => {
    const property = fc.asyncProperty(plans, async ({ nodes, graph }) => {
      const byId = new Map(nodes.map((item) => [item.id, item]));
      const expected = model(graph, byId);
      let failed = false;
      let running = 0;
      const result = await runFlow(
        graph,
        plainIo(),
        workOf(async ({ id, node: { catches } }) => {
          expect(failed).toBe(false);
          const plan = byId.get(id) as Plan;
          running += 1;
          await turnsOfLoop(plan.turns);
          running -= 1;
          if (plan.fails && !catches) failed = true;
          return outcomeOf(plan);
        }),
      );
      expect(running).toBe(0);
      expect(result.failure !== null).toBe(failed);
      for (const [id, { status }] of result.outcomes) {
        if (status !== "skipped") expect([id, status]).toEqual([id, expected.get(id)?.status]);
      }
      expect(result.outcomes.size).toBe(nodes.length);
    });
    await fc.assert(property, { numRuns: 300 });
  });
});
