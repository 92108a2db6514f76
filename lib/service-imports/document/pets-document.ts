// A small OpenAPI document for tests, and the service that it becomes.
import { readDocument } from "./read-document.ts";

export const ok = { "200": { description: "ok" } };
export const document = (overrides: object = {}) => ({
  openapi: "3.0.3",
  info: { title: "Pets", version: "1" },
  servers: [{ url: "https://{region}.pets.test/v1/", variables: { region: { default: "eu" } } }],
  paths: { "/pets": { get: { operationId: "listPets", summary: "List pets", tags: ["Pets"], responses: ok } } },
  ...overrides,
});
export const read = (value: unknown, from: string | null = null) => readDocument(JSON.stringify(value), from);
export function service(value: unknown, from: string | null = null) {
  const made = read(value, from);
  if ("problem" in made) throw new Error(made.problem);
  return made.service;
}
