// The target of a flow's steps: answers with what it was sent, at once or after `delayMs`.
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export async function startTarget(delayMs = 0): Promise<{ url: string; stop(): void }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (delayMs > 0) await sleep(delayMs);
    response.writeHead(200, { "content-type": "application/json" }).end(Buffer.concat(chunks));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the target has no port");
  return { url: `http://127.0.0.1:${address.port}/`, stop: () => server.close() };
}
