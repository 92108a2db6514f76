import { expect, it } from "vitest";
import { allEndpoints } from "../all.ts";
import { allExamples, exampleOf } from "./all.ts";

const operations = allEndpoints.map((endpoint) => ({ name: `${endpoint.method} ${endpoint.path}`, endpoint }));

it.each(operations)("$name has an example that matches its schemas", ({ endpoint }) => {
  const example = exampleOf(endpoint);
  expect(example).toBeDefined();
  if (example?.body !== undefined) endpoint.body.parse(example.body);
  if (endpoint.bodyRequired === true) expect(example?.body).toBeDefined();
  if (endpoint.shape !== "empty") endpoint.answer.parse(example?.answer);
  for (const answer of Object.values(example?.answers ?? {})) endpoint.answer.parse(answer);
});

it("every example belongs to an operation", () => {
  expect(Object.keys(allExamples).filter((name) => !operations.some((operation) => operation.name === name))).toEqual(
    [],
  );
});
