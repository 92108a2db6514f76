// Agents that use the tools of MCP servers.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { post } from "#e2e/support/api-client.ts";
import { node, run } from "#e2e/support/flows.ts";
import { credentialFor } from "#e2e/support/models/credential.ts";
import { type ModelReply, startModelServer } from "#e2e/support/models/model-server.ts";
import { startToolServer } from "#e2e/support/models/tool-server.ts";
import { inOwnWorkspace } from "#e2e/support/own-workspace.ts";

inOwnWorkspace("Agents of MCP");

const agent = (config: object) => node("agent", "agent", { model: "m", prompt: "How is it in Oslo?", ...config });
const calls = (name: string, input: unknown): ModelReply => ({ calls: [{ name, input }] });

// Proves nodes.agent-mcp
test("an agent uses the tools that a server offers, with its credential, and gets their failures", async () => {
  const server = await startToolServer(({ name }) =>
    name === "broken" ? { text: "out of order", isError: true } : { text: "rain", structured: { sky: "rain\u0000" } },
  );
  const model = await startModelServer((index) => {
    if (index === 0) return calls("weather_today", { city: "Oslo" });
    return index === 1 ? calls("broken", {}) : { text: "It rains." };
  });
  const credential = await credentialFor(model);
  await post("/credentials", { name: "mcp", type: "bearer", data: { token: "mcp-t0ken" } });
  const ended = await run([agent({ credential, tools: [{ url: server.url, credential: "mcp" }] })]);
  expect(ended.error).toBeUndefined();
  expect(ended.output).toMatchObject({
    text: "It rains.",
    steps: [
      { kind: "model" },
      { kind: "tool", output: { sky: "rain\u0000" } },
      { kind: "model" },
      { kind: "tool", output: { error: { code: "TOOL_FAILED", message: "out of order" } } },
      { kind: "model" },
    ],
  });
  expect(server.called).toEqual([
    { name: "weather.today", input: { city: "Oslo" } },
    { name: "broken", input: {} },
  ]);
  expect(server.headers.every(({ authorization }) => authorization === "Bearer mcp-t0ken")).toBe(true);
  expect(model.requests[0]?.text).toContain("Says how the weather is");
  expect(model.requests[0]?.text).not.toContain("huge");
  expect(model.requests.some(({ text }) => text.includes("mcp-t0ken"))).toBe(false);
});

test("a server that is none, that never ends and that may not be reached ends the agent by name", async () => {
  const model = await startModelServer(() => ({ text: "never asked" }));
  const credential = await credentialFor(model);
  const codeOf = async (url: string) => (await run([agent({ credential, tools: [{ url }] })])).error?.code;
  const http = createServer((request, response) => {
    if (request.url === "/none") return void response.writeHead(200, { "content-type": "text/html" }).end("<html>");
    response.writeHead(200, { "content-type": "application/json" });
    const more = () => {
      while (!response.destroyed && response.write(" ".repeat(65_536))) {}
    };
    response.on("drain", more);
    more();
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(() => {
    http.close();
    http.closeAllConnections();
  });
  const at = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  expect(await codeOf(`${at}/none`)).toBe("MCP_FAILED");
  expect(await codeOf(`${at}/endless`)).toBe("RESPONSE_TOO_LARGE");
  expect(await codeOf("http://10.1.2.3/mcp")).toBe("BLOCKED_ADDRESS");
  expect(await codeOf("no address")).toBe("BAD_URL");
  expect(model.requests).toEqual([]);
});
