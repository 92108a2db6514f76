// What large bodies cost any server: a bare HTTP server that parses a body, checks it against a schema, stores its
// bytes in PostgreSQL and, when they are on disk, answers with what it parsed. Runs as a separate process and prints
// its port.
import { createServer } from "node:http";
import pg from "pg";
import { z } from "zod";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 4 });
await pool.query(
  "CREATE TABLE IF NOT EXISTS bench_row (id BIGSERIAL PRIMARY KEY, body TEXT NOT NULL, answer TEXT NOT NULL)",
);

const line = z.object({
  sku: z.string(),
  name: z.string(),
  quantity: z.number(),
  price: z.number(),
  tags: z.array(z.string()),
  inStock: z.boolean(),
});
const order = z.object({ id: z.string(), customer: z.string(), total: z.number(), lines: z.array(line) });

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  const answer = JSON.stringify(order.parse(JSON.parse(body)));
  // Twice, as a run stores its input and its output.
  await pool.query({
    name: "insert",
    text: "INSERT INTO bench_row (body, answer) VALUES ($1, $2)",
    values: [body, answer],
  });
  response.writeHead(200, { "content-type": "application/json" }).end(answer);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" ? address?.port : 0);
});
