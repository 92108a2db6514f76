// The commands of docs/deploying.md for a machine with systemd, run in a folder in the place of `/`: as far as that goes
// without accounts and systemd, for which stand-ins take note. And the files that the other ways of deploying read.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type RunningServer, startServer } from "#e2e/support/server.ts";
import { temporaryDirectory } from "#e2e/support/temporary-directory.ts";
import { connect } from "#lib/platform/database/connect.ts";
import { startEmbeddedPostgres } from "#lib/platform/embedded-postgres/start.ts";
import { projectDirectory } from "../../scripts/places.mjs";

const read = (file: string) => readFileSync(join(projectDirectory, file), "utf8");

/** The commands of a section, in order: lines that are indented, and lines in code that a numbered step begins with. */
function commandsOf(document: string, section: string): string[] {
  const text = read(document).split(`\n## ${section}\n`)[1]?.split("\n## ")[0] ?? "";
  const commands = [...text.matchAll(/^ {7}(\S.*)$|^\d\. `([^`]+)`$/gm)].map(([, line, step]) => line ?? step ?? "");
  if (commands.length === 0) throw new Error(`"${section}" of ${document} has no commands`);
  return commands;
}

const hasClients = ["createuser", "createdb"].every(
  (program) => spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0,
);

describe.skipIf(!hasClients)("a machine with systemd (needs PostgreSQL's client programs)", () => {
  const root = temporaryDirectory();
  const sockets = temporaryDirectory();
  const dataDir = temporaryDirectory();
  const password = "p@ss/w:rd%";
  /** The cluster of the tests has an account `millrace` of its own. */
  const account = "service";
  let postgres: { url: string; stop(): Promise<void> };
  let server: RunningServer | undefined;
  let asOwner: Record<string, string | undefined>;

  beforeAll(async () => {
    // Its own account may write there.
    execFileSync("chmod", ["1777", sockets]);
    postgres = await startEmbeddedPostgres(dataDir, { extraSettings: [`unix_socket_directories=${sockets}`] });
    const { hostname, port, username, password: own } = new URL(postgres.url);
    const programs = join(root, "programs");
    asOwner = { PATH: `${programs}:${process.env.PATH}`, HOME: root, PGHOST: hostname, PGPORT: port };
    Object.assign(asOwner, { PGUSER: username, PGPASSWORD: own, PGDATABASE: "postgres" });
    for (const directory of [programs, join(root, "etc/systemd/system"), join(root, "opt")])
      mkdirSync(directory, { recursive: true });
    const pack = `"${process.execPath}" "${projectDirectory}/scripts/runtime-files.mjs" "$3"`;
    const standIns = {
      sudo: 'shift 2; exec "$@"',
      useradd: `echo useradd "$@" >> "${root}/noted"`,
      systemctl: `echo systemctl "$@" >> "${root}/noted"`,
      // What a clone has once it is built.
      git: `${pack} && cp -r "${projectDirectory}/deploy" "$3/deploy"`,
      npm: `test -f "$2/package.json" && echo npm "$3" "$4" >> "${root}/noted"`,
    };
    for (const [name, script] of Object.entries(standIns))
      writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  });
  afterAll(async () => {
    await server?.stop();
    await postgres?.stop();
    for (const directory of [root, sockets, dataDir]) rmSync(directory, { recursive: true, force: true });
  });

  /** The command as it is in this folder. */
  const here = (command: string) =>
    command
      .replaceAll("/opt/millrace", join(root, "opt/millrace"))
      .replaceAll("/etc/", `${root}/etc/`)
      .replace("…", "address")
      .replace("-o millrace", `-o ${userInfo().username}`)
      .replace(/(create(?:user|db).*)\bmillrace\b(.*)\bmillrace\b/, `$1${account}$2${account}`)
      .replace(/(createuser.*)\bmillrace\b/, `$1${account}`)
      // The root folder of switch.sh is /opt/millrace unless it is named.
      .replace(/(switch\.sh \S+)$/, `$1 ${root}/opt/millrace`);

  test("its commands lead to a release that runs", () => {
    for (const command of commandsOf("docs/deploying.md", "A machine with systemd")) {
      const { status, stderr } = spawnSync("sh", ["-c", here(command)], {
        env: { ...asOwner, NODE_ENV: "test" as const },
        encoding: "utf8",
        cwd: root,
      });
      expect([command, status, stderr]).toEqual([command, 0, ""]);
    }
    expect(readlinkSync(join(root, "opt/millrace/current"))).toBe(join(root, "opt/millrace/releases/1.0.0"));
    expect(statSync(join(root, "opt/millrace/releases")).uid).toBe(userInfo().uid);
    expect(readdirSync(join(root, "etc/systemd/system")).sort()).toEqual(["millrace.service", "millrace.socket"]);
    expect(readFileSync(join(root, "noted"), "utf8").split("\n")).toEqual([
      `useradd --system --home ${root}/opt/millrace millrace`,
      "npm run build",
      "systemctl enable --now millrace.socket millrace",
      "",
    ]);
  });

  test("its service starts there, with the database at a socket", async () => {
    const unit = readFileSync(join(root, "etc/systemd/system/millrace.service"), "utf8");
    expect(unit).toContain("WorkingDirectory=/opt/millrace/current\n");
    expect(unit).toContain("ExecStart=/usr/bin/node scripts/start.mjs\n");
    const named = /`DATABASE_URL=(\S+)` is PostgreSQL's\s+socket/.exec(read("docs/deploying.md"))?.[1] ?? "";
    expect(named).toBe("postgresql://millrace@/millrace?host=/run/postgresql");
    const owner = new URL(postgres.url);
    owner.pathname = "/postgres";
    const client = await connect(owner.href);
    await client.query(`ALTER ROLE ${account} PASSWORD '${password}'`);
    await client.end();
    const url = named
      .replace("millrace@/millrace", `${account}:${encodeURIComponent(password)}@/${account}`)
      .replace("/run/postgresql", `${sockets}&port=${owner.port}`);
    const secrets = { AUTH_SECRET: "a".repeat(32), ENCRYPTION_KEY: "e".repeat(32) };
    server = await startServer({ project: join(root, "opt/millrace/current"), env: { DATABASE_URL: url, ...secrets } });
    expect(await (await fetch(`${server.url}/api/health`)).json()).toMatchObject({ status: "ok" });
  });

  test("a role with a password is made as the docs say, and reached with the password encoded", async () => {
    const [, command = ""] = /`(createuser --pwprompt \w+)`/.exec(read("docs/deploying.md")) ?? [];
    // A session of its own: without a terminal it asks on its standard input.
    const asker = spawn("sh", ["-c", command.replace("millrace", "elsewhere")], {
      env: { ...asOwner, NODE_ENV: "test" },
      detached: true,
      stdio: ["pipe", "ignore", "inherit"],
    });
    asker.stdin.end(`${password}\n${password}\n`);
    const [status] = await once(asker, "close");
    expect([command, status]).toEqual(["createuser --pwprompt millrace", 0]);
    const url = new URL(postgres.url);
    const client = await connect(`postgresql://elsewhere:${encodeURIComponent(password)}@${url.host}/${account}`);
    expect((await client.query("SELECT current_user AS me")).rows).toEqual([{ me: "elsewhere" }]);
    await client.end();
  });
});

describe("containers", () => {
  const compose = parse(read("compose.yaml")).services;
  const inngest = parse(read("compose.inngest.yaml")).services;

  test("every setting of .env reaches the server", () => {
    expect(compose.millrace.env_file).toBe(".env");
  });

  test("every image has a version", () => {
    const images = [...Object.values(compose), ...Object.values(inngest)].flatMap((service) =>
      typeof service === "object" && service !== null && "image" in service ? [String(service.image)] : [],
    );
    expect(images.length).toBe(3);
    for (const image of images) expect(image).toMatch(/:v?\d+(\.\d+)*$/);
  });

  test("every variable that they require stands in the example", () => {
    const required = [...`${read("compose.yaml")}${read("compose.inngest.yaml")}`.matchAll(/\$\{(\w+):\?\}/g)];
    const names = new Set(required.map(([, name]) => name));
    expect(names.size).toBe(5);
    for (const name of names) expect(read("deploy/example.env")).toMatch(new RegExp(`^${name}=`, "m"));
  });

  test("every file that the docs name for them is there", () => {
    const [, text = ""] = read("docs/deploying.md").split("\n## Docker\n");
    const named = [...text.matchAll(/(?:cp|-f) (\S+\.(?:env|yaml))/g)].map(([, file = ""]) => file);
    expect(named.length).toBeGreaterThan(2);
    for (const file of named) expect([file, existsSync(join(projectDirectory, file))]).toEqual([file, true]);
  });
});

test("Vercel builds and migrates by scripts that exist, and calls may take as long as a function asks for", () => {
  const { buildCommand, functions } = JSON.parse(read("vercel.json"));
  const { scripts } = JSON.parse(read("package.json"));
  const named = [...String(buildCommand).matchAll(/npm run (\w+)/g)].map(([, name = ""]) => name);
  expect(named).toEqual(["build", "migrate"]);
  for (const name of named) expect(scripts).toHaveProperty(name);
  const [, seconds] = /maxDuration = (\d+)/.exec(read("app/api/inngest/route.ts")) ?? [];
  expect(functions["app/api/**/route.ts"].maxDuration).toBe(Number(seconds));
});
