// The pages' scripts and style sheets from `compress-static.mjs`: a sixth smaller than what Next compresses for each
// request.
import { globSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import securityHeaders from "#lib/http/security-headers.json" with { type: "json" };

const types: Readonly<Record<string, string>> = {
  js: "application/javascript; charset=UTF-8",
  css: "text/css; charset=UTF-8",
};
const folder = ".next/static";

export class StaticFiles {
  /** The files by path: no other file is ever opened. */
  readonly #files: ReadonlyMap<string, string>;

  constructor(projectDirectory: string) {
    const directory = join(projectDirectory, folder);
    const names = globSync("**/*.br", { cwd: directory });
    this.#files = new Map(
      names.map((name) => [`/_next/static/${name.slice(0, -".br".length)}`, join(directory, name)]),
    );
  }

  /** Answers a request for one of the files that accepts this compression, and returns true. */
  handle({ method, url = "", headers }: IncomingMessage, response: ServerResponse): boolean {
    if (method !== "GET" || headers.range !== undefined || !takesBrotli(headers["accept-encoding"])) return false;
    const [path = ""] = url.split("?", 1);
    const file = this.#files.get(path);
    if (file === undefined) return false;
    const body = readFileSync(file);
    response.writeHead(200, {
      ...securityHeaders,
      "content-type": types[path.slice(path.lastIndexOf(".") + 1)],
      "content-encoding": "br",
      "content-length": body.length,
      // Their names change with their content.
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
    });
    response.end(body);
    return true;
  }
}

function takesBrotli(accepted: string | string[] | undefined): boolean {
  return /(^|,)\s*br\s*(,|$)/.test(String(accepted ?? ""));
}
