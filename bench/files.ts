// 100 files of 100 MB through a flow: uploaded to its trigger URL, sent to another server in a form, and received again
// in its answer. The server's memory must stay below 450 MB. FILES and MEGABYTES reduce the load.
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { Writable } from "node:stream";
import { newDatabase } from "./data/new-database.ts";
import { onPostgres } from "./data/on-postgres.ts";
import { residentMb } from "./memory.ts";
import { makeFlow, startMillrace } from "./millrace.ts";

const files = Number(process.env.FILES ?? 100);
const megabytes = Number(process.env.MEGABYTES ?? 100);
const atOnce = 4;
const maxMebibytes = 450;
const chunk = Buffer.alloc(1_048_576, "file");
const fileBytes = megabytes * chunk.length;

export async function filesBenchmark(): Promise<void> {
  const receiver = createServer(async (incoming, answer) => {
    for await (const _ of incoming);
    answer.writeHead(200, { "content-type": "application/octet-stream", "content-length": fileBytes });
    await writeFile(answer);
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;
  try {
    await onPostgres(async (postgresUrl) => {
      const bytesMax = String(files * megabytes * 2 * 1_048_576);
      const settings = { OUTBOUND_ALLOW: "127.0.0.1", FILES_MAX_BYTES: bytesMax, SYNC_WAIT_MS: "600000" };
      const server = await startMillrace(await newDatabase(postgresUrl, "bench_files"), settings);
      try {
        const config = {
          method: "POST",
          url: `http://127.0.0.1:${port}/`,
          ...{ bodyType: "multipart", responseType: "file" },
          body: { file: "{{ $trigger.body }}" },
          timeout: 300_000,
        };
        const flow = await makeFlow(server, [{ id: "send", type: "http-request", config }], []);
        const idle = residentMb(server.pid);
        let highest = idle;
        const watch = setInterval(() => {
          highest = Math.max(highest, residentMb(server.pid));
        }, 100);
        const startedAt = performance.now();
        let left = files;
        const sendSome = async () => {
          for (; left > 0; ) {
            left -= 1;
            await send(flow.url);
          }
        };
        await Promise.all(Array.from({ length: atOnce }, sendSome));
        clearInterval(watch);
        const seconds = (performance.now() - startedAt) / 1_000;
        console.log(`\n${files} files of ${megabytes} MB through a flow, ${atOnce} at once`);
        console.table({
          "memory when idle": { MB: idle },
          "memory at most": { MB: highest, "of 450 MB": highest / maxMebibytes },
          "MB a second": { MB: Math.round((files * megabytes) / seconds) },
        });
        if (highest > maxMebibytes) throw new Error(`the server took ${highest} MB, more than ${maxMebibytes}`);
      } finally {
        await server.stop();
      }
    });
  } finally {
    receiver.close();
  }
}

/** Calls the flow with a file that is generated while it is sent. */
async function send(url: string): Promise<void> {
  const headers = { "content-type": "application/octet-stream", "content-length": fileBytes };
  const upload = request(url, { method: "POST", headers });
  const answered = once(upload, "response");
  await writeFile(upload);
  const [answer] = await answered;
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part);
  const text = Buffer.concat(parts).toString();
  if (answer.statusCode === 200 && text.includes(`"size":${fileBytes}`)) return;
  throw new Error(`the flow answered ${answer.statusCode}: ${text.slice(0, 300)}`);
}

async function writeFile(to: Writable): Promise<void> {
  for (let sent = 0; sent < fileBytes; sent += chunk.length) if (!to.write(chunk)) await once(to, "drain");
  to.end();
}
