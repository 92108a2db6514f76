// One route as a serverless function: its traced files, moved away from the build, in a process that loads Next as
// Vercel's launcher does.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { projectDirectory } from "../../scripts/places.mjs";
import { eventually } from "./eventually.ts";
import { freePort } from "./server.ts";

const hideCheckout = `
  import { registerHooks } from "node:module";
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      if (found.url.startsWith("file://${projectDirectory}")) throw new Error(\`\${found.url} is of the checkout\`);
      return found;
    },
  });`;

/** An option of Node that hides every module of the checkout. */
export const hidingCheckout = `--import="data:text/javascript,${encodeURIComponent(hideCheckout)}"`;

const launcher = `
  const { createServer } = require("node:http");
  const { readFileSync } = require("node:fs");
  process.chdir(__dirname);
  const { config: conf } = JSON.parse(readFileSync(".next/required-server-files.json", "utf8"));
  const Next = require("next/dist/server/next-server.js").default;
  const handle = new Next({ conf, dir: ".", minimalMode: true, customServer: false }).getRequestHandler();
  createServer((request, response) => {
    request.headers["x-matched-path"] = process.env.MATCHED;
    handle(request, response).catch((error) => {
      console.error(error);
      response.destroy();
    });
  }).listen(Number(process.env.PORT), "127.0.0.1");`;

/** Copies a route's function: `app/api/health/route` is the route's file below `.next/server`. */
export function moveFunction(file: string, to: string): void {
  const routeFile = `.next/server/${file}.js`;
  const required = JSON.parse(readFileSync(join(projectDirectory, ".next/required-server-files.json"), "utf8"));
  const traces = [".next/next-server.js", ".next/server/instrumentation.js", routeFile].map(
    (name) => `${name}.nft.json`,
  );
  const files = new Set([
    ".next/required-server-files.json",
    ...required.files,
    routeFile,
    ...traces.flatMap(tracedBy),
  ]);
  for (const name of files) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    cpSync(join(projectDirectory, name), join(to, name), { recursive: true, dereference: true });
  }
  writeFileSync(join(to, "launcher.cjs"), launcher);
}

function tracedBy(trace: string): string[] {
  const { files } = JSON.parse(readFileSync(join(projectDirectory, trace), "utf8")) as { files: string[] };
  return files.map((file) => relative(projectDirectory, resolve(projectDirectory, dirname(trace), file)));
}

export interface MovedFunction {
  readonly url: string;
  logs(): string;
  stop(): void;
}

/** Starts a moved function that answers one route. */
export async function startFunction(
  folder: string,
  route: string,
  env: Readonly<Record<string, string>>,
): Promise<MovedFunction> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { PATH, HOME } = process.env;
  const deployed = {
    VERCEL: "1" as const,
    VERCEL_ENV: "production" as const,
    VERCEL_URL: "flows.vercel.app",
    PUBLIC_URL: url,
  };
  const child = spawn(process.execPath, ["--no-strip-types", join(folder, "launcher.cjs")], {
    cwd: folder,
    env: {
      PATH,
      HOME,
      NODE_ENV: "production",
      ...deployed,
      NODE_OPTIONS: hidingCheckout,
      PORT: `${port}`,
      MATCHED: route,
      ...env,
    },
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  const listens = () =>
    fetch(url, { method: "OPTIONS" }).then(
      () => true,
      () => undefined,
    );
  await eventually("the function listens", listens, 110_000);
  return { url, logs: () => printed, stop: () => void child.kill("SIGKILL") };
}
