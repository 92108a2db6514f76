// The target of a flow's steps: answers at once with what it was sent.
import { once } from "node:events";
import { createServer } from "node:http";

export async function startTarget(): Promise<{ url: string; stop(): void }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.writeHead(200, { "content-type": "application/json" }).end(Buffer.concat(chunks));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the target has no port");
  return { url: `http://127.0.0.1:${address.port}/`, stop: () => server.close() };
}
