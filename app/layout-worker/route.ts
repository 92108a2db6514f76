import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Rendered at build time: the package is not needed where it is deployed. */
export const dynamic = "force-static";

const file = join(process.cwd(), "node_modules/elkjs/lib/elk-worker.min.js");

/** The layout program for a browser's worker, as its package ships it. */
export async function GET(): Promise<Response> {
  const headers = { "content-type": "text/javascript; charset=utf-8", "cache-control": "public, max-age=86400" };
  return new Response(await readFile(file, "utf8"), { headers });
}
