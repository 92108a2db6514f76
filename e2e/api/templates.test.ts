import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { post } from "../support/api-client.ts";

const files = globSync("examples/templates/*.json").sort();

test("there are eight templates", () => {
  expect(files).toHaveLength(8);
});

test.each(files)("%s completes with its own sample, and can be activated", async (file) => {
  const template = JSON.parse(readFileSync(file, "utf8"));
  const made = await post<{ id: string }>("/flows", template);
  expect(made.status).toBe(201);
  const problems = await post<{ problems: unknown[] }>("/flows/check", template);
  expect(problems.data.problems).toEqual([]);
  const [sample] = template.settings.canvas.samples;
  const run = await post<{ status: string }>(`/flows/${made.data.id}/execute`, {
    data: sample.data,
    async: false,
  });
  expect(run.data.status).toBe("completed");
});
