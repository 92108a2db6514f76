import { expect, onTestFinished, test } from "vitest";
import { startProcess } from "./start-worker.ts";

const csv = { options: { from: "csv", to: "json", header: true, delimiter: "," }, input: { text: "a\n1" } };

test("the start of a process takes none of its first task's time", async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const worker = startProcess({ receive: resolve, ended: () => resolve("it was killed") });
  onTestFinished(() => worker.end());
  worker.send(csv, 100);
  expect(await promise).toEqual({ json: '[{"a":"1"}]' });
});

test("a task that takes more CPU time than it may is stopped", async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const worker = startProcess({ receive: () => resolve("it was answered"), ended: () => resolve("it was killed") });
  worker.send({ ...csv, input: { text: "a,b\n".repeat(2_000_000) } }, 50);
  expect(await promise).toBe("it was killed");
});
