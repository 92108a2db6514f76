// Credentials for the test's own model server.
import { expect } from "vitest";
import { post } from "../api-client.ts";
import type { ModelServer } from "./model-server.ts";
import type { WireFormat } from "./wire-formats.ts";

let made = 0;

/** Stores a credential for the server; returns its name. */
export async function credentialFor(
  server: ModelServer,
  format: WireFormat = "openai",
  overrides: object = {},
): Promise<string> {
  made += 1;
  const name = `model${made}`;
  const credential = { name, type: format, data: server.credential(format), ...overrides };
  const answer = await post("/credentials", credential);
  expect(answer.status, answer.text).toBe(201);
  return name;
}
