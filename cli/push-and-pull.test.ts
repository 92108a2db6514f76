// Pull and push between a folder and a server: merges, refusals and conflicts.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { command, type Ended, emptyFolder } from "./testing/command.ts";
import { type FlowServer, flowServer, key, type StoredFlow, storedFlow } from "./testing/flow-server.ts";

let server: FlowServer;
let folder: string;
beforeEach(async () => {
  server = await flowServer();
  folder = emptyFolder();
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const run = (...given: string[]): Promise<Ended> =>
  command({ MILLRACE_URL: server.url, MILLRACE_API_KEY: key, HOME: folder }, ...given);
const pull = (...given: string[]) => run("pull", folder, ...given);
const push = (...given: string[]) => run("push", folder, ...given);
const read = (file: string) => readFileSync(join(folder, file), "utf8");
const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
const change = (file: string, from: string, to: string) => {
  expect(read(file)).toContain(from);
  write(file, read(file).replace(from, to));
};
const files = () => readdirSync(folder).filter((name) => name.endsWith(".yaml"));
const configOf = (flow: StoredFlow, id: string) =>
  ((flow as StoredFlow).nodes as { id: string; config: Record<string, unknown> }[]).find((node) => node.id === id)
    ?.config;
const results = ({ out }: Ended) => {
  return (JSON.parse(out) as { files: { file: string; result: string }[] }).files.map(({ file, result }) => [
    file,
    result,
  ]);
};

const large = "'large'";

describe("a pull", () => {
  test("and a push of what did not change ask once for each flow: requests are few on some tiers", async () => {
    for (const name of ["A", "B", "C"]) storedFlow(server, name);
    await pull();
    expect(server.calls).toHaveLength(4);
    server.calls.length = 0;
    change("a.flow.yaml", large, "'mine'");
    expect((await push()).code).toBe(0);
    expect(server.calls).toHaveLength(3 + 2 + 2);
    server.calls.length = 0;
    expect((await push("--activate")).code).toBe(0);
    expect([...server.flows.values()].map(({ status }) => status)).toEqual(["active", "active", "active"]);
  });

  test("writes every flow, and nothing when nothing changed", async () => {
    storedFlow(server, "Order intake");
    storedFlow(server, "Größe: ändern");
    expect((await pull()).code).toBe(0);
    expect(files()).toEqual(["grosse-andern.flow.yaml", "order-intake.flow.yaml"].toSorted());
    const before = files().map(read);
    expect(await pull()).toMatchObject({ code: 0, out: expect.stringContaining("Everything is up to date") });
    expect(files().map(read)).toEqual(before);
  });

  test("writes texts that are read again: of a flow at its limits, and of tests far longer", async () => {
    const rows = Array.from({ length: 12_000 }, (_, id) => ({ id, name: `Customer ${id}`, tags: ["a", "b"] }));
    const sheet = {
      name: "Sheet",
      trigger: { body: rows, headers: {}, query: {}, method: "POST" },
      now: new Date().toISOString(),
    };
    const more = { recordings: {}, expect: { status: "completed" } };
    storedFlow(server, "Lines", { variables: { text: "a line\n".repeat(140_000) } });
    storedFlow(server, "Sheets", { tests: ["A", "B", "C"].map((name) => ({ ...sheet, name, ...more })) });
    await pull();
    expect((await run("status", folder)).out).toContain("2 flows, no differences");
  });

  test("creates the folder, and refuses a file in its place", async () => {
    storedFlow(server, "Order intake");
    const inside = join(folder, "shop", "flows");
    expect((await run("pull", inside)).code).toBe(0);
    expect(readdirSync(inside)).toContain("order-intake.flow.yaml");
    const file = join(inside, "order-intake.flow.yaml");
    expect(await run("pull", file)).toMatchObject({ code: 2, err: expect.stringContaining("it is no folder") });
  });

  test("gives hostile names a harmless file in the folder", async () => {
    const names = ["../../x", "/etc/passwd", "con", "💥", "a\u202eb", "..", "A", "a", "-rf", "x".repeat(250), "$(id)"];
    for (const name of names) storedFlow(server, name);
    expect(await pull()).toMatchObject({ code: 0, err: "" });
    expect(files()).toHaveLength(names.length);
    for (const file of files()) expect(file).toMatch(/^[a-z0-9][a-z0-9-]{0,90}\.flow\.yaml$/);
    expect(new Set(files().map((file) => file.toLowerCase())).size).toBe(names.length);
  });

  test("keeps what changed here, and merges what changed in other places there", async () => {
    const flow = storedFlow(server, "Order");
    await pull();
    change("order.flow.yaml", large, "'LARGE'");
    write("order.flow.yaml", read("order.flow.yaml").replace("nodes:", "# why it is so\nnodes:"));
    flow.nodes = (flow.nodes as { id: string }[]).map((node) =>
      node.id === "small" ? { ...node, config: { transform: "'SMALL'" } } : node,
    );
    flow.version += 1;
    expect(results(await pull("--json"))).toEqual([["order.flow.yaml", "merged"]]);
    const text = read("order.flow.yaml");
    for (const part of ["'LARGE'", "'SMALL'", "# why it is so"]) expect(text).toContain(part);
  });

  test("puts both sides of a conflict into the file, names the field, and ends with 1", async () => {
    const flow = storedFlow(server, "Order");
    await pull();
    change("order.flow.yaml", large, "'mine'");
    Object.assign(configOf(flow, "large") ?? {}, { transform: "'theirs'" });
    flow.version += 1;
    const ended = await pull();
    expect(ended).toMatchObject({ code: 1, out: expect.stringContaining("config.transform") });
    expect(read("order.flow.yaml")).toMatch(/<<<<<<< here\n.*'mine'.*\n=======\n.*'theirs'.*\n>>>>>>> server/);
    expect((await push()).code).toBe(1);
    expect(configOf(flow, "large")).toEqual({ transform: "'theirs'" });
    write(
      "order.flow.yaml",
      read("order.flow.yaml").replace(/<<<<<<< here\n(.*\n)=======\n.*\n>>>>>>> server\n/, "$1"),
    );
    expect((await push()).code).toBe(0);
    expect(configOf(flow, "large")).toEqual({ transform: "'mine'" });
  });

  test("does not write through a link, or where somebody's list of files leads out of the folder", async () => {
    const flow = storedFlow(server, "Order");
    const outside = emptyFolder();
    mkdirSync(join(folder, ".millrace"));
    const list = (file: string) => write(".millrace/flows.json", JSON.stringify({ [server.url]: { [file]: flow.id } }));
    symlinkSync(outside, join(folder, "linked"));
    for (const file of [
      "../x.flow.yaml",
      "/tmp/x.flow.yaml",
      "linked/x.flow.yaml",
      ".git/x.flow.yaml",
      "x.sh",
      "a\\b.flow.yaml",
    ]) {
      list(file);
      expect(await pull()).toMatchObject({ code: 2, err: expect.stringContaining("no flow's file in this folder") });
    }
    expect(readdirSync(outside)).toEqual([]);
    list("in/x.flow.yaml");
    expect((await pull("--force")).code).toBe(0);
    expect(existsSync(join(folder, "in/x.flow.yaml"))).toBe(true);
  });
});

test("a forced pull writes over what changed here, on one side or on both", async () => {
  const flow = storedFlow(server, "Order");
  await pull();
  const before = read("order.flow.yaml");
  change("order.flow.yaml", large, "'mine'");
  expect((await pull()).code).toBe(0);
  expect(read("order.flow.yaml")).toContain("'mine'");
  expect(results(await pull("--force", "--json"))).toEqual([["order.flow.yaml", "written"]]);
  expect(read("order.flow.yaml")).toBe(before);
  change("order.flow.yaml", large, "'mine'");
  Object.assign(configOf(flow, "large") ?? {}, { transform: "'theirs'" });
  flow.version += 1;
  expect((await pull("--force")).code).toBe(0);
  expect(read("order.flow.yaml")).toContain("'theirs'");
});

describe("a push", () => {
  test("sends a changed flow with its tests as one request, and knows it afterwards", async () => {
    const flow = storedFlow(server, "Order");
    await pull();
    change("order.flow.yaml", "total > 100", "total > 150");
    change("order.flow.yaml", "A large one", "A very large one");
    server.calls.length = 0;
    const ended = await push();
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining("changed") });
    expect(server.calls.filter((call) => !call.startsWith("GET"))).toEqual([`PATCH /flows/${flow.id}`]);
    expect(flow).toMatchObject({ version: 2, tests: [{ name: "A small one" }, { name: "A very large one" }] });
    expect(await push()).toMatchObject({ code: 0, out: expect.stringContaining("0 changed, 1 the same") });
    expect(await run("status", folder)).toMatchObject({ code: 0 });
  });

  test("knows a test without a time again, though the server gives it one", async () => {
    storedFlow(server, "Order");
    await pull();
    write("new.flow.yaml", read("order.flow.yaml").replaceAll(/^ +now: .*\n/gm, ""));
    expect(results(await push("--json"))).toContainEqual(["new.flow.yaml", "created"]);
    expect(read("new.flow.yaml")).not.toContain("now:");
    for (let round = 0; round < 2; round += 1) {
      expect(results(await push("--json"))).toEqual([
        ["new.flow.yaml", "same"],
        ["order.flow.yaml", "same"],
      ]);
    }
    expect(await run("status", folder)).toMatchObject({ code: 0 });
    expect(await run("diff", folder)).toMatchObject({ code: 0 });
    change("new.flow.yaml", "A large one", "A very large one");
    expect(results(await push("--json"))).toContainEqual(["new.flow.yaml", "changed"]);
    expect(results(await push("--json"))).toContainEqual(["new.flow.yaml", "same"]);
  });

  test("changes and removes a flow's tags, and leaves them alone where the server exports none", async () => {
    const flow = storedFlow(server, "Order", { tags: ["shop", "eu"] });
    await pull();
    change("order.flow.yaml", "  - eu\n", "  - us\n");
    expect(await push()).toMatchObject({ code: 0, out: expect.stringContaining("Tags") });
    expect(flow.tags).toEqual(["shop", "us"]);
    change("order.flow.yaml", "tags:\n  - shop\n  - us\n", "");
    expect((await push()).code).toBe(0);
    expect(flow.tags).toEqual([]);
    // As with a server of version 1.0.0.
    delete flow.tags;
    change("order.flow.yaml", large, "'mine'");
    expect((await push()).code).toBe(0);
    expect("tags" in flow).toBe(false);
  });

  test("takes a flow written by hand without defaults, or with needless ones, as the same", async () => {
    const text = "version: 1.0.0\nname: By hand\ntrigger:\n  type: webhook\nnodes: {}\n";
    write("bare.flow.yaml", text);
    write("none.flow.yaml", `${text.replace("By hand", "None")}variables: {}\ntests: []\n`);
    write("deep.flow.yaml", `${text.replace("By hand", "Deep")}tests:\n  - name: A\n    deep: false\n`);
    expect((await push()).code).toBe(0);
    expect(results(await push("--json")).map(([, result]) => result)).toEqual(["same", "same", "same"]);
    expect(await run("status", folder)).toMatchObject({ code: 0 });
    expect(await run("diff", folder)).toMatchObject({ code: 0, out: "No differences\n" });
    expect(read("bare.flow.yaml")).toBe(text);
  });

  test("takes tests in another order as the same, with a new one before the others", async () => {
    const flow = storedFlow(server, "Order");
    await pull();
    const [head = "", first = "", second = ""] = read("order.flow.yaml").split(/^(?= {2}- name: )/m);
    const added = first.replace("A large one", "A huge one");
    write("order.flow.yaml", [head, added, second, first].join(""));
    expect(results(await push("--json"))).toEqual([["order.flow.yaml", "changed"]]);
    expect((flow.tests as { name: string }[]).map(({ name }) => name)).toEqual([
      ...["A large one", "A small one", "A huge one"],
    ]);
    expect(results(await push("--json"))).toEqual([["order.flow.yaml", "same"]]);
    expect(await run("status", folder)).toMatchObject({ code: 0 });
    Object.assign(flow, { description: "Changed there", version: 3 });
    expect(results(await pull("--json"))).toEqual([["order.flow.yaml", "written"]]);
  });

  test("with --dry-run changes nothing, and says what it would", async () => {
    storedFlow(server, "Order");
    await pull();
    change("order.flow.yaml", "total > 100", "total > 150");
    server.calls.length = 0;
    const ended = await push("--dry-run");
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining("config.condition") });
    expect(server.calls.every((call) => call.startsWith("GET"))).toBe(true);
  });

  test("refuses what changed in the same place since the pull, says what to do, and sends the other flows", async () => {
    const [first, second] = [storedFlow(server, "First"), storedFlow(server, "Second")];
    await pull();
    for (const file of files()) change(file, large, "'mine'");
    Object.assign(configOf(first, "large") ?? {}, { transform: "'theirs'" });
    first.version += 1;
    const ended = await push();
    expect(ended).toMatchObject({ code: 1, out: expect.stringContaining("pull, choose, push again") });
    expect([configOf(first, "large"), configOf(second, "large")]).toEqual([
      { transform: "'theirs'" },
      { transform: "'mine'" },
    ]);
  });

  test("merges what does not clash, and writes the result here too", async () => {
    const flow = storedFlow(server, "Order");
    await pull();
    change("order.flow.yaml", large, "'mine'");
    Object.assign(configOf(flow, "small") ?? {}, { transform: "'theirs'" });
    flow.version += 1;
    expect(results(await push("--json"))).toEqual([["order.flow.yaml", "merged"]]);
    expect([configOf(flow, "large"), configOf(flow, "small")]).toEqual([
      { transform: "'mine'" },
      { transform: "'theirs'" },
    ]);
    expect(read("order.flow.yaml")).toContain("'theirs'");
  });

  test("compares again with what somebody changes while it is sent", async () => {
    const flow = storedFlow(server, "Order");
    await pull();
    change("order.flow.yaml", large, "'mine'");
    server.before = (call) => {
      if (!call.startsWith("PATCH")) return undefined;
      server.before = undefined;
      Object.assign(configOf(flow, "small") ?? {}, { transform: "'theirs'" });
      flow.version += 1;
      return undefined;
    };
    expect(results(await push("--json"))).toEqual([["order.flow.yaml", "merged"]]);
    expect([configOf(flow, "large"), configOf(flow, "small")]).toEqual([
      { transform: "'mine'" },
      { transform: "'theirs'" },
    ]);
  });

  test("makes new flows once, also when it is killed before it knows of them", async () => {
    storedFlow(server, "Order");
    await pull();
    write("new.flow.yaml", read("order.flow.yaml").replace("name: Order", "name: New"));
    expect(results(await push("--json"))).toContainEqual(["new.flow.yaml", "created"]);
    const known = JSON.parse(read(".millrace/flows.json"))[server.url];
    // The state before the answer arrived.
    const { "new.flow.yaml": _, ...others } = known;
    write(".millrace/flows.json", JSON.stringify({ [server.url]: others }));
    expect((await push()).code).toBe(0);
    expect([...server.flows.values()].map(({ name }) => name)).toEqual(["Order", "New"]);
  });

  test("creates a flow again that was deleted from the server, from the same file", async () => {
    const flow = storedFlow(server, "Order");
    await pull();
    const text = read("order.flow.yaml");
    server.flows.delete(flow.id);
    rmSync(join(folder, "order.flow.yaml"));
    await push();
    for (const turn of [1, 2, 3]) {
      write("order.flow.yaml", text);
      expect(await push(), String(turn)).toMatchObject({ code: 0, out: expect.stringContaining("created") });
      expect(server.flows.size).toBe(1);
      rmSync(join(folder, "order.flow.yaml"));
      expect((await push("--prune")).code).toBe(0);
      expect(server.flows.size).toBe(0);
    }
  });

  test("knows a file that was renamed, and one that was deleted", async () => {
    const flow = storedFlow(server, "Order");
    storedFlow(server, "Other");
    await pull();
    renameSync(join(folder, "order.flow.yaml"), join(folder, "orders.flow.yaml"));
    rmSync(join(folder, "other.flow.yaml"));
    change("orders.flow.yaml", large, "'mine'");
    expect(await push()).toMatchObject({ code: 0, out: expect.stringContaining("push --prune deletes it") });
    expect(server.flows.size).toBe(2);
    expect(configOf(flow, "large")).toEqual({ transform: "'mine'" });
    expect((await push("--prune")).code).toBe(0);
    expect([...server.flows.values()].map(({ name }) => name)).toEqual(["Order"]);
  });

  test("prunes nothing that changed on the server since the pull", async () => {
    const flow = storedFlow(server, "Order");
    await pull();
    rmSync(join(folder, "order.flow.yaml"));
    Object.assign(configOf(flow, "small") ?? {}, { transform: "'theirs'" });
    flow.version += 1;
    expect((await push("--prune")).code).toBe(1);
    expect(server.flows.size).toBe(1);
  });

  test("reports what the server refuses by field, and exits with 1", async () => {
    storedFlow(server, "Order");
    await pull();
    change("order.flow.yaml", "type: if-else", "type: refused");
    expect(await push()).toMatchObject({ code: 1, out: expect.stringContaining("nodes[0].type: unknown node type") });
  });

  test("takes files with CR LF as the same", async () => {
    storedFlow(server, "Order");
    await pull();
    write("order.flow.yaml", read("order.flow.yaml").replaceAll("\n", "\r\n"));
    expect(await push()).toMatchObject({ code: 0, out: expect.stringContaining("0 changed") });
  });

  test("refuses a file in another encoding, whose letters it would lose, and keeps it", async () => {
    const flow = storedFlow(server, "Order");
    await pull();
    const saved = Buffer.from(read("order.flow.yaml").replace(large, "'Größe'"), "latin1");
    writeFileSync(join(folder, "order.flow.yaml"), saved);
    for (const ended of [await push(), await pull(), await run("check", folder), await run("status", folder)]) {
      expect(ended).toMatchObject({ code: 2, err: expect.stringContaining("order.flow.yaml: is not UTF-8") });
    }
    expect(readFileSync(join(folder, "order.flow.yaml")).equals(saved)).toBe(true);
    expect(flow.version).toBe(1);
  });

  test("two at once follow each other", async () => {
    const flow = storedFlow(server, "Order");
    await pull();
    change("order.flow.yaml", large, "'mine'");
    const ended = await Promise.all([push(), push(), push("--dry-run")]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(flow.version).toBe(2);
  });

  test("continues after a process that held the lock was killed", async () => {
    storedFlow(server, "Order");
    await pull();
    write(".millrace/lock", "999999999");
    expect((await push()).code).toBe(0);
    // Its process id is another program's by now.
    write(".millrace/lock", String(process.ppid));
    utimesSync(join(folder, ".millrace/lock"), 0, 0);
    expect((await push()).code).toBe(0);
    expect(existsSync(join(folder, ".millrace/lock"))).toBe(false);
  });

  test("without a record of a pull refuses what differs", async () => {
    const flow = storedFlow(server, "Order");
    await pull();
    rmSync(join(folder, ".millrace/pulled"), { recursive: true });
    change("order.flow.yaml", large, "'mine'");
    expect(await push()).toMatchObject({ code: 1, out: expect.stringContaining("pull first") });
    expect(flow.version).toBe(1);
  });
});

test("a file in a pulled folder is known from outside of that folder", async () => {
  const { id } = storedFlow(server, "Order");
  await pull();
  const file = join(folder, "order.flow.yaml");
  expect(await run("diff", file)).toMatchObject({ code: 0, out: "No differences\n" });
  server.calls.length = 0;
  await run("logs", file);
  expect(server.calls[0]).toBe(`GET /flows/${id}`);
});

test("a place that cannot be written is named", async () => {
  write(".millrace", "a file");
  const ended = await pull();
  expect(ended).toMatchObject({ code: 2, err: expect.stringContaining(".millrace") });
  expect(ended.err).not.toContain("should not happen");
});

describe("a server", () => {
  test("that does not answer is 3, and one that fails too", async () => {
    const dead = { MILLRACE_URL: "http://127.0.0.1:1", MILLRACE_API_KEY: key, HOME: folder };
    expect(await command(dead, "pull", folder)).toMatchObject({
      code: 3,
      err: expect.stringContaining("No answer from"),
    });
    server.before = () => 500;
    const ended = await pull("--json");
    expect([ended.code, JSON.parse(ended.out)]).toMatchObject([3, { error: { status: 500 } }]);
    expect((await pull()).err).toContain("The server answered 500: internal_error");
  });

  test("that is no Millrace is 3, and one whose ids lead out of the folder", async () => {
    for (const body of ["null", "[]", '{"data":{}}', '{"data":[]}', "<html>", '{"data":[],"pagination":1}']) {
      const other = createServer((_, response) => response.end(body));
      await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      const ended = await command({ MILLRACE_URL: url, MILLRACE_API_KEY: key, HOME: folder }, "pull", folder);
      other.close();
      expect(ended).toMatchObject({ code: 3, err: expect.stringContaining("is not from Millrace") });
    }
    storedFlow(server, "Order", { id: "../../elsewhere" });
    expect(await pull()).toMatchObject({ code: 3, err: expect.stringContaining('"../../elsewhere"') });
    expect(files()).toEqual([]);
  });

  test("that refuses what is asked is 1, and that has no such thing 2", async () => {
    server.before = () => 400;
    expect((await run("logs", "exec_1")).code).toBe(1);
    server.before = () => 404;
    expect((await run("logs", "exec_1")).code).toBe(2);
  });

  test("that does not know the key is 3, without telling the key", async () => {
    const wrong = { MILLRACE_URL: server.url, MILLRACE_API_KEY: "secret-of-mine", HOME: folder };
    const ended = await command(wrong, "pull", folder);
    expect(ended).toMatchObject({ code: 3, err: expect.stringContaining("does not accept the key") });
    expect(ended.out + ended.err).not.toContain("secret-of-mine");
  });

  test("for which there is no key is 2", async () => {
    expect(await command({ MILLRACE_URL: server.url, HOME: folder }, "pull", folder)).toMatchObject({
      code: 2,
      err: expect.stringContaining("millrace login"),
    });
  });
});
