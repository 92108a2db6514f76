import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Rendered at build time: the package is not needed where it is deployed. */
export const dynamic = "force-static";

const file = join(process.cwd(), "node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2");

/** The app's font for form pages, which may be served from another host without Next's assets. */
export async function GET(): Promise<Response> {
  const headers = { "content-type": "font/woff2", "cache-control": "public, max-age=86400" };
  return new Response(new Uint8Array(await readFile(file)), { headers });
}
