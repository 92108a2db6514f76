// The scripts a browser loads before a page is usable, according to the build's own manifest and as the server sends
// them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, inject, test } from "vitest";
import { projectDirectory } from "../../scripts/places.mjs";

const { url } = inject("server");
const bytesMax = 200_000;
/** Users expect to wait for the editor; a flow's other tabs share its view, and so its scripts. */
const editor = "/flows/[id]";

interface Route {
  readonly route: string;
  readonly firstLoadChunkPaths: readonly string[];
}

const read = (path: string) => readFileSync(join(projectDirectory, path));
const all: Route[] = JSON.parse(read(".next/diagnostics/route-bundle-stats.json").toString());
const pages = all.filter(({ route }) => !route.startsWith("/api/") && !route.startsWith(editor));

test("every page loads at most 200 kB of compressed scripts initially", () => {
  expect(pages.length).toBeGreaterThan(20);
  const sizes = new Map<string, number>();
  for (const { route, firstLoadChunkPaths } of pages) {
    for (const path of firstLoadChunkPaths) if (!sizes.has(path)) sizes.set(path, gzipSync(read(path)).length);
    const bytes = firstLoadChunkPaths.reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0);
    expect([route, bytes, bytes <= bytesMax]).toEqual([route, bytes, true]);
  }
});

test("scripts are sent in the smallest encoding the browser accepts", async () => {
  const path = pages[0]?.firstLoadChunkPaths[0] ?? "";
  const address = `${url}/_next/${path.slice(".next/".length)}`;
  const request = (headers: Record<string, string>) => fetch(address, { headers });
  const source = read(path).toString();
  for (const [accepted, encoding] of [
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["br;q=0", null],
    ["identity", null],
  ] as const) {
    const answer = await request({ "accept-encoding": accepted });
    expect([accepted, answer.status, answer.headers.get("content-encoding")]).toEqual([accepted, 200, encoding]);
    expect(answer.headers.get("content-type")).toBe("application/javascript; charset=UTF-8");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("vary")).toMatch(/accept-encoding/i);
    expect(await answer.text()).toBe(source);
  }
  const part = await request({ "accept-encoding": "br", range: "bytes=0-9" });
  expect([part.status, await part.text()]).toEqual([206, source.slice(0, 10)]);
});
