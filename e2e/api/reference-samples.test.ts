// Runs the reference's samples as real programs against a server that records their calls.
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { codeSamples } from "#components/reference/code-sample.ts";
import type { Operation } from "#components/reference/operation.ts";
import { readOperations } from "#components/reference/read-operations.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { projectDirectory } from "../../scripts/places.mjs";
import { get } from "../support/api-client.ts";
import { type CountingServer, countingServer } from "../support/counting-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Stands in for the Python samples' library, which need not be installed here. */
const requestsModule = `
import json as encoder
import urllib.request

class Response:
    def __init__(self, answer):
        self.text = answer.read().decode()

    def raise_for_status(self):
        pass

def caller(method):
    def call(url, headers={}, json=None):
        data = None if json is None else encoder.dumps(json).encode()
        typed = headers if data is None else {**headers, "Content-Type": "application/json"}
        return Response(urllib.request.urlopen(urllib.request.Request(url, data=data, headers=typed, method=method)))
    return call

get, post, put, patch, delete = (caller(name) for name in ("GET", "POST", "PUT", "PATCH", "DELETE"))
`;

const run = promisify(execFile);
const jsArgs = (files: readonly string[]) => [
  "--input-type=module",
  "--eval",
  files.map((file) => `await import(${JSON.stringify(pathToFileURL(file).href)});`).join("\n"),
];
const directory = temporaryDirectory();
const key = "key-of-the-environment";
const env = {
  NODE_ENV: "test" as const,
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  MILLRACE_API_KEY: key,
  PYTHONPATH: directory,
};

/** For each language: how one process runs all its samples in turn. */
const languages = [
  {
    name: "JavaScript",
    ending: "mjs",
    program: process.execPath,
    args: jsArgs,
  },
  {
    name: "millrace/client",
    ending: "client.mjs",
    program: process.execPath,
    args: jsArgs,
    prefix: "/api/v1",
    // A stream goes on until the run has ended.
    leaves: "followExecution",
  },
  {
    name: "curl",
    ending: "sh",
    program: "sh",
    args: (files: readonly string[]) => ["-ec", files.map((file) => `. '${file}'`).join("\n")],
    needs: "curl",
  },
  {
    name: "Python",
    ending: "py",
    program: "python3",
    args: (files: readonly string[]) => [
      "-c",
      files.map((file) => `exec(open(${JSON.stringify(file)}).read())`).join("\n"),
    ],
    needs: "python3",
  },
];

let operations: readonly Operation[];
beforeAll(async () => {
  const document = (await get<JsonObject>("/openapi.json", { key: null })).body as JsonObject;
  operations = readOperations(document).filter(({ isEvent }) => !isEvent);
  writeFileSync(join(directory, "requests.py"), requestsModule);
  mkdirSync(join(directory, "node_modules"));
  symlinkSync(projectDirectory, join(directory, "node_modules/millrace"));
});

for (const { name, ending, program, args, needs, prefix = "", leaves } of languages) {
  const isMissing = needs !== undefined && spawnSync(needs, ["--version"]).status !== 0;
  test.skipIf(isMissing)(`every sample in ${name} makes the call that it shows`, async () => {
    expect(operations.length).toBeGreaterThan(60);
    const server = await countingServer(() => ({ body: { success: true, data: null } }));
    mkdirSync(join(directory, ending));
    const shown = operations.flatMap((operation) => {
      const samples = codeSamples({ ...operation, base: `${server.url}${prefix}` });
      const { text } = samples.find(({ language }) => language === name) ?? { text: "" };
      if (text === "" || (leaves !== undefined && text.includes(leaves))) return [];
      const file = join(directory, ending, `${operation.id}.${ending}`);
      writeFileSync(file, text);
      return [{ operation, file }];
    });
    expect(shown.length).toBeGreaterThan(prefix === "" ? operations.length - 1 : 100);
    const files = shown.map(({ file }) => file);
    await run(program, args(files), { env });
    expect(made(server)).toEqual(shown.map(({ operation }) => expectedRequest(operation, prefix)));
  });
}

function made({ received }: CountingServer) {
  return received.map(({ method, url, headers, body }) => ({
    method,
    url,
    key: headers.authorization,
    type: body === "" ? undefined : headers["content-type"],
    body: body === "" ? undefined : JSON.parse(body),
  }));
}

function expectedRequest({ method, path, parameters, access, body }: Operation, prefix: string) {
  const example = (name: string) => parameters.find((parameter) => parameter.name === name)?.example;
  return {
    method,
    url:
      prefix + path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(example(name) ?? name.toUpperCase())),
    key: access.takesKeys ? `Bearer ${key}` : undefined,
    type: body?.example === undefined ? undefined : "application/json",
    body: body?.example,
  };
}
