import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { askHidden } from "#lib/platform/ask-hidden.ts";
import { fileNameFor, isWithin } from "./folder/flow-files.ts";
import { withMarks } from "./folder/texts.ts";
import { accessOf, currentServer, keepKey, keyFilePath, readKeys, serverUrl } from "./server/keys.ts";
import { Terminal } from "./terminal.ts";
import { emptyFolder } from "./testing/command.ts";

describe("keys", () => {
  const flows = async () => {
    const environment = { HOME: emptyFolder() };
    return { environment, path: await keepKey(environment, { url: "https://a.test", key: "secret" }) };
  };

  test("are kept where only their owner reads them", async () => {
    const { environment, path } = await flows();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(accessOf(environment)).toEqual({ url: "https://a.test", key: "secret" });
    await keepKey(environment, { url: "https://b.test", key: "other" });
    expect(currentServer(environment)).toBe("https://b.test");
    expect(accessOf({ ...environment, MILLRACE_URL: "https://a.test/" }).key).toBe("secret");
  });

  test("that others could read are refused", async () => {
    const { environment, path } = await flows();
    for (const mode of [0o640, 0o604, 0o660]) {
      chmodSync(path, mode);
      expect(() => accessOf(environment)).toThrow("chmod 600");
    }
  });

  test("of the environment win, and go to the server that it names", async () => {
    const { environment } = await flows();
    const given = { ...environment, MILLRACE_API_KEY: "mine", MILLRACE_URL: "https://c.test" };
    expect(accessOf(given)).toEqual({ url: "https://c.test", key: "mine" });
    expect(() => accessOf({ ...environment, MILLRACE_URL: "https://c.test" })).toThrow("There is no key");
  });

  test("of two logins at once are both kept, and a killed one holds up none", async () => {
    const { environment, path } = await flows();
    const { keys } = readKeys(environment);
    // Another login has read the file, and is about to write it.
    writeFileSync(`${path}.lock`, String(process.ppid));
    const kept = keepKey(environment, { url: "https://b.test", key: "mine" });
    writeFileSync(path, JSON.stringify({ keys: { ...keys, "https://c.test": "theirs" } }));
    // It is killed, and its process id belongs to another program by now.
    utimesSync(`${path}.lock`, 0, 0);
    await kept;
    expect(readKeys(environment).keys).toEqual({ ...keys, "https://b.test": "mine", "https://c.test": "theirs" });
    expect(readdirSync(dirname(path))).toEqual([basename(path)]);
  });

  test("that no header can hold are not told", () => {
    const given = { HOME: emptyFolder(), MILLRACE_URL: "https://c.test" };
    expect(accessOf({ ...given, MILLRACE_API_KEY: " mine\n" }).key).toBe("mine");
    for (const key of ["secret\nkey", "secret key", "secrét"]) {
      expect(() => accessOf({ ...given, MILLRACE_API_KEY: key })).toThrow(/^What is set [^\n]* is not an API key$/);
    }
  });

  test("that cannot be read are reported, and URLs with passwords or other schemes refused", () => {
    const environment = { HOME: emptyFolder() };
    mkdirSync(dirname(keyFilePath(environment)), { recursive: true });
    writeFileSync(keyFilePath(environment), "{", { mode: 0o600 });
    expect(() => readKeys(environment)).toThrow("millrace login");
    for (const url of ["ftp://a.test", "nonsense", "https://me:secret@a.test"]) expect(() => serverUrl(url)).toThrow();
  });
});

test.each([
  ["secret\r", "secret"],
  ["secret\u0003", null],
  ["\u0004", null],
])("a key typed as %j is %j, and is not shown", async (typed, key) => {
  const input = new PassThrough();
  let shown = "";
  const asked = askHidden("Key: ", { input, err: { write: (text) => (shown += text) } });
  input.write(typed);
  expect(await asked).toBe(key);
  expect(shown).toBe("Key: \n");
});

describe("a file's name", () => {
  test.each([
    ["Order intake", "order-intake.flow.yaml"],
    ["../../etc/passwd", "etc-passwd.flow.yaml"],
    ["CON", "flow-con.flow.yaml"],
    ["💥", "flow.flow.yaml"],
    ["-rf /", "rf.flow.yaml"],
    ["a\u0000\u202eb\ud800", "a-b.flow.yaml"],
  ])("of %j is %s", (name, file) => {
    expect(fileNameFor(name, [])).toBe(file);
    expect(isWithin(emptyFolder(), file)).toBe(true);
  });

  test("is taken once, whatever its case", () => {
    expect(fileNameFor("A", ["a.flow.yaml", "A-2.flow.yaml"])).toBe("a-3.flow.yaml");
  });

  test.each(["../a.flow.yaml", "/a.flow.yaml", "a/../b.flow.yaml", ".git/a.flow.yaml", "a.yaml", "c:a.flow.yaml", ""])(
    "%j is none within a folder",
    (path) => {
      expect(isWithin(emptyFolder(), path)).toBe(false);
    },
  );
});

test("two texts with marks have each side's lines once, in order", () => {
  const [a, b] = ["1\n2\n3\n4\n", "1\nzwei\n3\n4\n5\n"];
  const text = withMarks(a, b, ["ours", "theirs"]);
  expect(text).toBe(
    "1\n<<<<<<< ours\n2\n=======\nzwei\n>>>>>>> theirs\n3\n4\n<<<<<<< ours\n=======\n5\n>>>>>>> theirs\n",
  );
  const sideOf = (keepFirst: boolean) =>
    text.replace(/<<<<<<< ours\n([\s\S]*?)=======\n([\s\S]*?)>>>>>>> theirs\n/g, keepFirst ? "$1" : "$2");
  expect([sideOf(true), sideOf(false)]).toEqual([a, b]);
});

describe("the terminal", () => {
  const terminal = (overrides: object, environment = {}) => {
    let text = "";
    const stream = { write: (chunk: string) => (text += chunk), ...overrides };
    const made = new Terminal({ isJson: false, out: stream, err: stream, environment });
    return { made, text: () => text };
  };

  test("has colours only on a terminal, and not with NO_COLOR", () => {
    const painted = (overrides: object, environment = {}) => terminal(overrides, environment).made.paint("red", "x");
    expect(painted({})).toBe("x");
    expect(painted({ isTTY: true })).toBe("\u001b[31mx\u001b[0m");
    expect(painted({ isTTY: true }, { NO_COLOR: "1" })).toBe("x");
    expect(painted({ isTTY: true }, { TERM: "dumb" })).toBe("x");
    expect(painted({}, { FORCE_COLOR: "1" })).toContain("\u001b[31m");
  });

  test("shows what names would do to it as U+FFFD", () => {
    const { made, text } = terminal({ isTTY: true });
    made.print(`${made.paint("red", "a")} \u001b]0;title\u0007 \u001b[2J \u202e`);
    expect(text()).toBe("\u001b[31ma\u001b[0m \ufffd]0;title\ufffd \ufffd[2J \ufffd\n");
  });

  test("shows progress only on a terminal", () => {
    const [seen, unseen] = [terminal({ isTTY: true }), terminal({})];
    for (const { made } of [seen, unseen]) {
      made.progress("half");
      made.done();
    }
    expect([seen.text(), unseen.text()]).toEqual(["half\r\u001b[2K", ""]);
  });
});

test("no file of the command line reads the environment but its entry", () => {
  expect(readFileSync("cli/main.ts", "utf8")).toContain("process.env");
});
