import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Answered when the app is built: nothing of the package is needed where it is deployed. */
export const dynamic = "force-static";

const file = join(process.cwd(), "node_modules/elkjs/lib/elk-worker.min.js");

/** The program that lays flows out, for a worker of the browser: as its package has it. */
export async function GET(): Promise<Response> {
  const headers = { "content-type": "text/javascript; charset=utf-8", "cache-control": "public, max-age=86400" };
  return new Response(await readFile(file, "utf8"), { headers });
}
