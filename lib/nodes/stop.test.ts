import { describe, expect, test } from "vitest";
import { stop } from "./stop.ts";
import { asNode, runNodeAlone } from "./testing/run-alone.ts";

const run = (config: object) => runNodeAlone(asNode(stop), config, { input: 1 });

describe("a stop", () => {
  // Proves nodes.stop
  test("with success has the given output, or by default its input", async () => {
    expect((await run({ output: [1, null] })).output).toEqual([1, null]);
    expect((await run({ output: null })).output).toBeNull();
    expect((await run({})).output).toEqual({ input: 1 });
  });

  test("with success logs its message", async () => {
    expect((await run({ message: "nothing to do" })).logs).toMatchObject([{ level: "info", message: "nothing to do" }]);
    expect((await run({ message: { left: 0 } })).logs).toMatchObject([{ message: '{"left":0}' }]);
    for (const config of [{}, { message: null }]) expect((await run(config)).logs).toEqual([]);
  });

  // Proves nodes.stop
  test("with an error fails with its message", async () => {
    const failure = { name: "NodeFailure", code: "STOPPED", message: "no items" };
    await expect(run({ status: "failed", message: "no items" })).rejects.toMatchObject(failure);
    for (const message of [undefined, null, ""]) {
      await expect(run({ status: "failed", message })).rejects.toMatchObject({ message: "The flow stopped the run" });
    }
  });

  test("allows no other status", () => {
    expect(stop.config.safeParse({ status: "cancelled" }).success).toBe(false);
  });
});
