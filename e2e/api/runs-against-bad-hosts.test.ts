// Hosts called by flows may never answer, answer byte by byte, or break off: those runs fail in time and delay nobody.
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createFlow, ended, execute, node, start } from "#e2e/support/flows.ts";

const timeout = 600;
const runsEach = 10;

/** A host with each way to fail, by path. */
async function faultyHost(): Promise<string> {
  const dribbling = new Set<NodeJS.Timeout>();
  const dribble = (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "text/plain" });
    const timer = setInterval(() => response.write("."), 50);
    dribbling.add(timer);
    response.on("close", () => clearInterval(timer));
  };
  const server = createServer((request, response) => {
    if (request.url === "/slow") dribble(response);
    if (request.url === "/reset") request.socket.resetAndDestroy();
    if (request.url === "/half") {
      response.writeHead(200, { "content-length": "1000" }).write("half", () => request.socket.resetAndDestroy());
    }
    if (request.url === "/well") response.end("well");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const timer of dribbling) clearInterval(timer);
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("each fails at its node and says why; a run beside them completes", async () => {
  const host = await faultyHost();
  const flowTo = (path: string) =>
    createFlow({ nodes: [node("call", "http-request", { url: `${host}/${path}`, timeout })] });
  const expected = { never: "TIMEOUT", slow: "TIMEOUT", reset: "RESET", half: "RESET" };
  const started = await Promise.all(
    Object.entries(expected).map(async ([path, code]) => {
      const flow = await flowTo(path);
      const ids = await Promise.all(Array.from({ length: runsEach }, () => start(flow.id)));
      return { path, code, ids };
    }),
  );
  const well = await execute((await flowTo("well")).id);
  expect(well).toMatchObject({ status: "completed", output: { status: 200, body: "well" } });
  for (const { path, code, ids } of started) {
    for (const id of ids) {
      const run = await ended(id);
      expect([path, run.status, run.error?.code, run.error?.nodeId]).toEqual([path, "failed", code, "call"]);
    }
  }
});
