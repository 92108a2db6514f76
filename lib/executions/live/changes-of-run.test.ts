import { beforeAll, describe, expect, test } from "vitest";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { stepSeparator } from "#lib/engine/flow.ts";
import { cancelExecution } from "#lib/executions/cancel-execution.ts";
import type { StartedFlow } from "#lib/executions/store/new-execution.ts";
import { recordNodes } from "#lib/executions/store/record-nodes.ts";
import { nodeRecord, storedExecution, storedFlow } from "#lib/executions/testing/stored-runs.ts";
import { database } from "#lib/platform/database.ts";
import { changesOfRun } from "./changes-of-run.ts";

let actor: Actor;
let flow: StartedFlow;

inOwnDatabase();
beforeAll(async () => {
  actor = await newActor();
  flow = await storedFlow(actor);
});

const entry = (message: string) => ({
  timestamp: new Date().toISOString(),
  level: "info" as const,
  nodeId: null,
  message,
  data: null,
});
const record = (executionId: string, nodeIds: readonly string[], messages: readonly string[] = []) =>
  recordNodes({ executionId, fence: 1, nodes: nodeIds.map((id) => nodeRecord(id)), logs: messages.map(entry) });

/** Reads on from a position, page by page, until nothing is left; returns the changes and the new position. */
async function readFrom(id: string, place: number) {
  const seen: string[] = [];
  for (;;) {
    const options = { nodesAfter: place, logsAfter: place, isOpen: true, withPayloads: false };
    const changes = await changesOfRun(id, options);
    if (changes.length === 0) return { seen, place };
    for (const { sequence, event } of changes) {
      expect(sequence).toBeGreaterThan(place);
      place = sequence;
      seen.push(event.event === "node" ? event.data.nodeId : event.data.message);
    }
  }
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

describe("a run's changes", () => {
  test("are complete and in order, however many pages they take", async () => {
    const id = await storedExecution(flow, "me");
    await record(id, names("a", 130), names("said a", 230));
    await record(id, names("b", 120), names("said b", 10));
    const { seen } = await readFrom(id, 0);
    expect(seen.toSorted()).toEqual(
      [...names("a", 130), ...names("b", 120), ...names("said a", 230), ...names("said b", 10)].toSorted(),
    );
  });

  test("include a node that changed again, and nothing else", async () => {
    const id = await storedExecution(flow, "me");
    await record(id, ["a", "b"], ["first"]);
    const { place } = await readFrom(id, 0);
    await record(id, ["a"]);
    expect((await readFrom(id, place)).seen).toEqual(["a"]);
  });

  test("leave out the nodes inside a loop's body", async () => {
    const id = await storedExecution(flow, "me");
    await record(id, ["loop", `inner${stepSeparator}0`, `inner${stepSeparator}1`]);
    expect((await readFrom(id, 0)).seen).toEqual(["loop"]);
  });

  test("are never missed while the run's process and a cancellation write concurrently", async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const id = await storedExecution(flow, "me");
      let place = 0;
      const seen: string[] = [];
      const read = async () => {
        const changes = await readFrom(id, place);
        place = changes.place;
        seen.push(...changes.seen);
      };
      const writing = Promise.all([
        ...names("n", 10).map((name) => record(id, [name], [`said ${name}`])),
        cancelExecution(actor, id, null),
      ]);
      let isDone = false;
      void writing.then(() => {
        isDone = true;
      });
      while (!isDone) await read();
      await read();
      const stored = await database().logEntry.count({ where: { executionId: id } });
      const cancelled = 'Execution cancelled by the API key "key_test"';
      expect(new Set(seen)).toEqual(new Set([...names("n", 10), ...names("said n", 10), cancelled]));
      expect(seen.filter((text) => text.includes(" "))).toHaveLength(stored);
    }
  });
});
