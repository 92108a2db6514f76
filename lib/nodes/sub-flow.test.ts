import { describe, expect, test } from "vitest";
import { subFlow } from "./sub-flow.ts";
import { asNode, beginNodeAlone, wokenContext } from "./testing/run-alone.ts";

const executionId = "exec_child";
const begin = async (config: object) => {
  const started: unknown[] = [];
  const startFlow = async (...given: unknown[]) => {
    started.push(given);
    return executionId;
  };
  const { begun } = await beginNodeAlone(asNode(subFlow), { flowId: "flow_1", ...config }, { a: 1 }, { startFlow });
  return { begun, started };
};
const resume = (value: unknown) =>
  subFlow.resume?.(
    { kind: "execution", until: null, state: { executionId } },
    { by: "execution", at: "", value },
    wokenContext,
  );

describe("a sub-flow", () => {
  test("is started with its data, and awaited", async () => {
    expect(await begin({ data: [1] })).toEqual({
      begun: { wait: { kind: "execution", until: null, state: { executionId } } },
      started: [["flow_1", [1]]],
    });
  });

  test("is started with the input if it has no data", async () => {
    expect((await begin({})).started).toEqual([["flow_1", { a: 1 }]]);
    expect((await begin({ data: null })).started).toEqual([["flow_1", null]]);
  });

  test("that is not awaited gives its id at once", async () => {
    expect((await begin({ wait: false })).begun).toEqual({ output: { executionId, status: "running", output: null } });
  });

  test("that completed gives its output", () => {
    expect(resume({ status: "completed", output: [2] })).toEqual({
      output: { executionId, status: "completed", output: [2] },
    });
  });

  test.each([
    [{ status: "failed", error: "it broke" }, "ended as failed: it broke"],
    [{ status: "cancelled", error: null }, "ended as cancelled"],
    [{ status: "deleted" }, "ended as deleted"],
    [null, "ended as deleted"],
  ])("that ended otherwise fails: %j", (value, message) => {
    expect(() => resume(value)).toThrow(
      expect.objectContaining({ code: "SUB_FLOW_FAILED", message: expect.stringContaining(message) }),
    );
  });
});
