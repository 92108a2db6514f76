// The best this machine can do: a bare HTTP server that stores one row per call in PostgreSQL, concurrent rows in one
// statement, and answers when the row is on disk. Runs as a separate process and prints its port.
import { createServer } from "node:http";
import pg from "pg";
import { Batcher } from "#lib/platform/batcher.ts";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 4 });
await pool.query("CREATE TABLE IF NOT EXISTS bench_row (id BIGSERIAL PRIMARY KEY, body TEXT NOT NULL)");

const rows = new Batcher<string, undefined>({
  handle: async (bodies) => {
    const text = "INSERT INTO bench_row (body) SELECT unnest($1::text[])";
    await pool.query({ name: "insert", text, values: [bodies] });
    return bodies.map(() => undefined);
  },
  itemsMax: 200,
  batchesMax: 2,
  tryAlone: () => false,
});

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  await rows.add(body);
  response.writeHead(200, { "content-type": "application/json" }).end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" ? address?.port : 0);
});
