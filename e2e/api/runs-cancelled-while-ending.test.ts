// A cancellation and an end at the same moment: one of them wins, and its result stays.
import { expect, test } from "vitest";
import { get, post } from "#e2e/support/api-client.ts";
import { countingServer } from "#e2e/support/counting-server.ts";
import { createFlow, ended, node, readExecution, start } from "#e2e/support/flows.ts";
import { subscribe, untilEvents } from "#e2e/support/webhooks.ts";

// Proves execution-status.final
test("of 200 races each has one winner and one event, both sides agree, and the status never changes", async () => {
  const sink = await countingServer(() => "hold");
  const receiver = await countingServer();
  await subscribe(receiver.url, ["execution.completed", "execution.failed", "execution.cancelled"]);
  const flow = await createFlow({ nodes: [node("call", "http-request", { url: sink.url })] });
  const ids: string[] = [];
  const answers: Awaited<ReturnType<typeof post>>[] = [];
  for (let round = 0; round < 10; round += 1) {
    const started = await Promise.all(Array.from({ length: 20 }, () => start(flow.id)));
    await sink.until((round + 1) * 20);
    // Released in turn before, while and after the cancellations are sent.
    if (round % 3 === 0) sink.release();
    const cancelled = started.map((id) => post(`/executions/${id}/cancel`, {}));
    if (round % 3 !== 0) sink.release();
    answers.push(...(await Promise.all(cancelled)));
    ids.push(...started);
  }
  const ends = await Promise.all(ids.map((id) => ended(id)));
  ends.forEach(({ status }, index) => {
    const answer = answers[index];
    if (answer?.status === 200) expect(status).toBe("cancelled");
    else {
      expect(status).toBe("completed");
      expect(answer).toMatchObject({
        status: 400,
        error: { code: "INVALID_STATUS", details: { currentStatus: "completed" } },
      });
    }
  });
  expect(await Promise.all(ids.map((id) => readExecution(id)))).toEqual(ends);
  const events = await untilEvents(receiver, flow.id, 200);
  expect(events.map(({ event, data }) => `${data.executionId} ${event}`).toSorted()).toEqual(
    ends.map(({ id, status }) => `${id} execution.${status}`).toSorted(),
  );
  const listed = await get<{ executionCount: number }>(`/flows/${flow.id}`);
  expect(listed.data.executionCount).toBe(200);
});
