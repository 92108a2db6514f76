import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, describe, expect, test, vi } from "vitest";
import { childRights } from "./child-process.ts";
import { oneChild, valueFrom } from "./testing/evaluate.ts";

const sandbox = oneChild();
afterAll(() => sandbox.close());

/** Runs code with a child's permissions and all of Node, as if it had escaped the engine. */
function asChild(code: string): string {
  const { execArgv, env, cwd } = childRights();
  const { stdout, stderr } = spawnSync(process.execPath, [...execArgv, "--input-type=commonjs", "-e", code], {
    cwd,
    env,
  });
  return `${stdout}${stderr}`;
}

function childrenOf(pid: number | undefined): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
}

/** A watching shell has its script among its arguments. */
function isShell(pid: number): boolean {
  return existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("sh\0-c");
}

describe("a child process", () => {
  test("has an empty environment", () => {
    process.env.CANARY_ENVIRONMENT = "chirp";
    expect(asChild("console.log(JSON.stringify(process.env))").trim()).toBe("{}");
  });

  test.each([
    ["reads no file", "require('fs').readFileSync('/etc/hostname')"],
    ["reads none of the project's files but its own", `require('fs').readFileSync('${path.resolve("package.json")}')`],
    ["writes no file", "require('fs').writeFileSync('/tmp/millrace-canary', 'x')"],
    ["lists no folder", "require('fs').readdirSync('/')"],
    ["starts no process", "require('child_process').execSync('id')"],
  ])("%s", (_fact, code) => {
    expect(asChild(code)).toContain("ERR_ACCESS_DENIED");
  });

  test("is the one that evaluates", async () => {
    await valueFrom(sandbox, "1");
    const [pid] = sandbox.stats().children;
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").filter(Boolean);
    // Node's own, for the IPC channel.
    expect(environment.filter((entry) => !entry.startsWith("NODE_CHANNEL_"))).toEqual([]);
    expect(readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")).toEqual(
      expect.arrayContaining([...childRights().execArgv]),
    );
  });

  // Without a shell, a watchdog thread ends it.
  test.each([
    ["a shell", process.env.PATH],
    ["no shell", "/nowhere"],
  ])("ends when the server is killed, even while stuck inside the engine: with %s", async (_, PATH) => {
    const env = { ...process.env, PATH };
    const server = spawn(process.execPath, ["lib/sandbox/testing/short-lived-server.ts"], { env });
    const [line] = await new Promise<string[]>((resolve) => {
      createInterface(server.stdout).once("line", (text) => resolve([text]));
    });
    const children = JSON.parse(line ?? "[]") as number[];
    expect(children).toHaveLength(2);
    for (const pid of children) {
      const mayHaveThreads = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--allow-worker");
      expect(mayHaveThreads).toBe(PATH === "/nowhere");
    }
    server.kill("SIGKILL");
    await vi.waitFor(() => expect(children.filter((pid) => existsSync(`/proc/${pid}/fd`))).toEqual([]), 30_000);
  });

  test("ends with its server even if the shell that watched it was killed before", async () => {
    const server = spawn(process.execPath, ["lib/sandbox/testing/short-lived-server.ts"]);
    const [line] = await new Promise<string[]>((resolve) => {
      createInterface(server.stdout).once("line", (text) => resolve([text]));
    });
    const children = JSON.parse(line ?? "[]") as number[];
    const shells = () => childrenOf(server.pid).filter((pid) => !children.includes(pid) && isShell(pid));
    const [first = 0, ...more] = shells();
    expect([first > 0, more]).toEqual([true, []]);
    process.kill(first, "SIGKILL");
    await vi.waitFor(() => expect(shells().filter((pid) => pid !== first)).toHaveLength(1), 30_000);
    server.kill("SIGKILL");
    await vi.waitFor(() => expect(children.filter((pid) => existsSync(`/proc/${pid}/fd`))).toEqual([]), 30_000);
  });

  test("does not keep a server alive", () => {
    const code = `
      const { createSandbox } = await import("./lib/sandbox/sandbox.ts");
      const answer = await createSandbox().run({ scope: {}, programs: [{ source: "6 * 7", kind: "expression" }] });
      console.log(answer.results[0].json);`;
    const { stdout, status } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { timeout: 15_000 });
    expect({ stdout: stdout.toString(), status }).toEqual({ stdout: "42\n", status: 0 });
  });
});
