import { expect, it } from "vitest";
import { get } from "#e2e/support/api-client.ts";
import { createFlow, execute, transform } from "#e2e/support/flows.ts";

interface Recent {
  readonly flowId: string;
  readonly runs: { readonly id: string; readonly status: string }[];
}

const recentOf = async (ids: string[]) => (await get<Recent[]>(`/executions/recent?flowIds=${ids.join(",")}`)).data;

it("the latest runs of each flow that has run are listed, latest first, of every status", async () => {
  const flow = await createFlow({ nodes: [transform("a", "$trigger.body.order.id")] });
  const quiet = await createFlow();
  const first = await execute(flow.id, { order: { id: 1 } });
  const second = await execute(flow.id);
  expect(await recentOf([quiet.id, flow.id, "flow_nothing"])).toEqual([
    {
      flowId: flow.id,
      runs: [
        expect.objectContaining({ id: second.executionId, status: "failed" }),
        expect.objectContaining({ id: first.executionId, status: "completed" }),
      ],
    },
  ]);
});

it("at most twelve per flow are listed", async () => {
  const flow = await createFlow({ nodes: [transform("a", "1")] });
  for (let run = 0; run < 13; run += 1) await execute(flow.id);
  expect((await recentOf([flow.id]))[0]?.runs).toHaveLength(12);
});
