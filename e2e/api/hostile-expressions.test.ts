// Payloads that left other sandboxes, that loop and that hoard, by the real API: nothing of the host comes out, everything
// ends, and others are answered meanwhile.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { get, post } from "#e2e/support/api-client.ts";
import { eventually } from "#e2e/support/eventually.ts";
import { newTenant, type Tenant } from "#e2e/support/matrix/own-things.ts";
import { serverPid } from "#e2e/support/server-process.ts";
import { places } from "#e2e/support/inputs/expression-places.ts";

interface Payload {
  readonly id: string;
  readonly expr: string;
}
type Execution = { id: string; status: string; error: { message: string } | null };

const payloads = JSON.parse(readFileSync("lib/sandbox/testdata/payloads.json", "utf8")) as Payload[];
const { dataDir } = inject("server");
const canary = "canary-5b0e91";
const folder = mkdtempSync(join(tmpdir(), "millrace-canary-"));
const file = join(folder, "canary.txt");
let port = 0;
let connections = 0;
let listener: Server;

beforeAll(async () => {
  writeFileSync(file, canary);
  listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", () => resolve()));
  const address = listener.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => {
  listener.close();
  rmSync(folder, { recursive: true });
});
