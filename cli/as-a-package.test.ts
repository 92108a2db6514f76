// The npm package: alone in an empty folder, in git, and in the CI examples.
import { type ExecFileSyncOptions, execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { emptyFolder } from "./testing/command.ts";

/** A folder with the tarball installed, and the programs of its `node_modules/.bin` first in PATH. */
let home: string;
let installed: string;
let environment: NodeJS.ProcessEnv;

beforeAll(() => {
  const project = join(emptyFolder(), "project");
  for (const path of ["lib", "cli", "scripts", "package.json", "README.md", "LICENSE", "tsconfig.json"]) {
    cpSync(path, join(project, path), {
      recursive: true,
      filter: (file) => !/\.test\.tsx?$|lib\/platform\/prisma/.test(file),
    });
  }
  symlinkSync(resolve("lib/platform/prisma"), join(project, "lib/platform/prisma"));
  symlinkSync(resolve("node_modules"), join(project, "node_modules"));
  home = emptyFolder();
  installed = emptyFolder();
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  environment = {
    NODE_ENV: "test",
    HOME: home,
    PATH,
    npm_config_cache: join(home, "cache"),
    npm_config_update_notifier: "false",
  };
  const before = readFileSync(join(project, "package.json"), "utf8");
  const options: ExecFileSyncOptions = { cwd: project, env: environment, stdio: "pipe" };
  execFileSync("npm", ["pack", "--offline", "--pack-destination", installed], options);
  expect(readFileSync(join(project, "package.json"), "utf8")).toBe(before);
  const [tarball = ""] = readdirSync(installed);
  writeFileSync(join(installed, "package.json"), "{}");
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", join(installed, tarball)], {
    ...options,
    cwd: installed,
  });
  environment = { ...environment, PATH: `${join(installed, "node_modules/.bin")}:${PATH}` };
}, 180_000);

const flow = (limit: number, extra = "") => `version: 1.0.0
name: Shipping
trigger:
  type: manual
nodes:
  large:
    type: transform
    config:
      transform: $trigger.body.total > ${limit}
  note:
    type: log
    config:
      message: a note${extra}
tests:
  - name: Large
    trigger:
      body:
        total: 120
    expect:
      nodes:
        large:
          output: true
`;

const shell = (script: string, cwd: string, extra: Record<string, string> = {}) =>
  spawnSync("bash", ["-e", "-o", "pipefail", "-c", script], {
    cwd,
    env: { ...environment, ...extra },
    encoding: "utf8",
  });

const repository = () => {
  const folder = emptyFolder();
  const { status } = shell("git init -q -b main && git config user.email a@b.test && git config user.name A", folder);
  expect(status).toBe(0);
  return folder;
};

describe("the package", () => {
  // Proves command-line.packed
  test("works in an empty folder, without any other package", () => {
    expect(readdirSync(join(installed, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["millrace"]);
    const folder = emptyFolder();
    writeFileSync(join(folder, "a.flow.yaml"), flow(100));
    expect(shell("millrace check && millrace test", folder)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("1 tests, 0 failed"),
    });
    expect(shell("npx --no-install millrace --version", installed)).toMatchObject({ status: 0, stdout: "1.0.0\n" });
  });

  test("has the client, with its types", () => {
    const program = `import { createClient, verifyWebhook } from "millrace/client";
      const client = createClient({ url: "http://127.0.0.1:1", retries: 0 });
      const { name } = await client.listFlows().catch((error) => error);
      console.log(name, typeof client.each.listFlows, typeof verifyWebhook);`;
    writeFileSync(join(installed, "program.mjs"), program);
    expect(shell("node program.mjs", installed).stdout).toBe("ConnectionError function function\n");
    const types = readFileSync(join(installed, "node_modules/millrace/dist/client/client.d.mts"), "utf8");
    for (const part of ["listFlows(input?:", "export type Flow =", "export type ExecutionEvent ="])
      expect(types).toContain(part);
  });

  test("has nothing in it of the server, the database or the network's door", () => {
    const modules = JSON.parse(readFileSync(join(installed, "node_modules/millrace/package.json"), "utf8"));
    expect(modules).not.toHaveProperty("dependencies");
    const folder = join(installed, "node_modules/millrace/dist/cli");
    const texts = readdirSync(folder)
      .filter((name) => name.endsWith(".mjs"))
      .map((name) => readFileSync(join(folder, name), "utf8"));
    for (const text of texts) expect(text).not.toMatch(/from"(pg|undici|@prisma\/client|next)"|DATABASE_URL/);
  });
});

describe("git", () => {
  // Proves command-line.git
  test("sees flows by meaning, and a conflict leaves the file in conflict with the field's name", () => {
    const folder = repository();
    const write = (text: string) => writeFileSync(join(folder, "a.flow.yaml"), text);
    write(flow(100));
    const [own, earlier] = ["*.flow.yaml linguist-language=YAML", "*.flow.yaml diff=millrace"];
    writeFileSync(join(folder, ".gitattributes"), `${own}\n${earlier}\n`);
    expect(
      shell("millrace git-setup --command millrace && git add . && git commit -qm one && git switch -qc other", folder)
        .status,
    ).toBe(0);
    expect(readFileSync(join(folder, ".gitattributes"), "utf8").split("\n")).toEqual([
      ...[own, "*.flow.yaml text eol=lf diff=millrace merge=millrace", ""],
    ]);
    write(flow(50));
    expect(shell("git diff", folder).stdout).toContain(
      'config.transform: "$trigger.body.total > 100" → "$trigger.body.total > 50"',
    );
    shell("git commit -qam two && git switch -q main", folder);
    write(flow(100, " more"));
    expect(shell("git commit -qam three && git merge -q --no-edit other", folder).status).toBe(0);
    const merged = readFileSync(join(folder, "a.flow.yaml"), "utf8");
    expect([merged.includes("> 50"), merged.includes("a note more")]).toEqual([true, true]);
    shell("git switch -qc third", folder);
    write(flow(10, " more"));
    shell("git commit -qam four && git switch -q main", folder);
    write(flow(20, " more"));
    const clash = shell("git commit -qam five && git merge --no-edit third", folder);
    expect(clash).toMatchObject({ status: 1, stderr: expect.stringContaining("nodes.large.config.transform") });
    expect(shell("git status --short", folder).stdout).toContain("UU a.flow.yaml");
    expect(readFileSync(join(folder, "a.flow.yaml"), "utf8")).toMatch(
      /<<<<<<< ours\n.*> 20\n=======\n.*> 10\n>>>>>>> theirs/,
    );
  });

  test("outside of a repository ends with 2", () => {
    expect(shell("millrace git-setup", emptyFolder()).status).toBe(2);
  });
});

describe("the CI examples", () => {
  interface Steps {
    readonly name: string;
    readonly script: string;
    readonly env: Record<string, string>;
  }
  const yaml = (file: string) => parse(readFileSync(`examples/ci/${file}`, "utf8"));
  const github = (): Steps[] =>
    Object.values(yaml("github-action.yml").jobs as Record<string, { steps: Record<string, string>[] }>).flatMap(
      ({ steps }) =>
        steps.flatMap(({ name = "", run, env = {} }) =>
          run === undefined ? [] : [{ name, script: run, env: env as Record<string, string> }],
        ),
    );
  const gitlab = (): Steps[] =>
    Object.entries(yaml("gitlab-ci.yml") as Record<string, { script?: string[] }>).flatMap(([name, { script }]) =>
      script === undefined ? [] : [{ name, script: script.join("\n"), env: {} }],
    );

  // Proves command-line.ci
  test.each([
    ["github-action.yml", github],
    ["gitlab-ci.yml", gitlab],
  ])("%s checks, tests and comments; its push asks for the key", (_, stepsOf) => {
    const folder = repository();
    const bin = emptyFolder();
    mkdirSync(join(folder, "flows"));
    const write = (text: string) => writeFileSync(join(folder, "flows/a.flow.yaml"), text);
    write(flow(100));
    shell("git add . && git commit -qm one", folder);
    const base = shell("git rev-parse HEAD", folder).stdout.trim();
    write(flow(110));
    shell("git commit -qam two", folder);
    // What a bare shell lacks: the service that receives the comment.
    for (const name of ["gh", "curl"]) {
      writeFileSync(join(bin, name), `#!/bin/sh\nprintf '%s\\n' "$@" > "${bin}/called"\n`, { mode: 0o755 });
    }
    writeFileSync(join(bin, "npx"), '#!/bin/sh\n[ "$1" = --yes ] && shift\nexec "$@"\n', { mode: 0o755 });
    const extra = {
      PATH: `${bin}:${environment.PATH}`,
      RUNNER_TEMP: bin,
      BASE: base,
      CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
      PULL_REQUEST: "1",
      MILLRACE_URL: "http://127.0.0.1:1",
      MILLRACE_API_KEY: "a-key",
    };
    const steps = stepsOf();
    expect(steps.length).toBeGreaterThan(2);
    for (const { name, script } of steps) {
      const { status, stderr } = shell(script, folder, extra);
      // No server runs here.
      const isPush = script.includes("millrace push");
      expect([name, status, stderr]).toEqual([
        name,
        isPush ? 3 : 0,
        isPush ? expect.stringContaining("No answer") : expect.anything(),
      ]);
    }
    expect(readFileSync(join(bin, "called"), "utf8")).toMatch(/flows\.md|body@flows\.md/);
    const comment = [join(bin, "flows.md"), join(folder, "flows.md")].flatMap((file) => {
      try {
        return [readFileSync(file, "utf8")];
      } catch {
        return [];
      }
    });
    expect(comment.join()).toContain(
      '! large: config.transform: "$trigger.body.total > 100" → "$trigger.body.total > 110"',
    );
    expect(readFileSync(join(folder, "flow-tests.xml"), "utf8")).toContain('tests="1" failures="0"');
  });
});
