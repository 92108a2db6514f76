// Sources of any length give the same result; long ones are parsed in a worker thread.
import { expect, test } from "vitest";
import { type ReadKind, readText } from "#lib/expressions/expressions.ts";
import { ReaderThread, readFor, unreadable } from "./read-sources.ts";

const read = (kind: ReadKind, text: string) => readFor("workspace", [text], (item, reader) => reader(kind, item));
const long = (text: string) => text + " ".repeat(20_000);

test("a long source is parsed like a short one, but left to the sandbox", async () => {
  const sources: [ReadKind, string][] = [
    ["template", "Hello {{ $vars.name }} and {{ $nodes.a.output + 1 }}"],
    ["expression", "$trigger.body.items[0].id"],
    ["expression", "const a = $credentials.b; return a;"],
    ["condition", "{{ $vars.count }} > 5"],
    ["code", "return $nodes['a b'].output;"],
    ["code", "return ("],
    ["template", "{{ $vars. }}"],
  ];
  for (const [kind, text] of sources) {
    const here = readText(kind, long(text));
    const bare = JSON.parse(JSON.stringify(here, (key, value) => (key === "program" ? null : value)));
    expect(await read(kind, long(text))).toEqual([bare]);
  }
});

test("a short source is parsed here, and may be evaluated here", async () => {
  expect(await read("expression", "$vars.a + 1")).toEqual([
    { template: expect.objectContaining({ segments: [expect.objectContaining({ program: expect.anything() })] }) },
  ]);
});

test("each item gets its own, in order, however many share a source", async () => {
  const items = Array.from({ length: 500 }, (_, index) => `{{ $vars.a${index % 7} }}`);
  const made = await readFor("workspace", items, (item, reader) => reader("template", item));
  expect(made.map((text) => (text !== null && "template" in text ? text.template.segments : []))).toEqual(
    items.map((item) => [expect.objectContaining({ source: item.slice(3, -3) })]),
  );
});

test("concurrent sources of one workspace are all parsed", async () => {
  const texts = Array.from({ length: 5 }, (_, index) => long(`return ${index};`));
  const all = await Promise.all(texts.map((text) => read("code", text)));
  expect(all).toEqual(texts.map((source) => [{ code: expect.objectContaining({ source }) }]));
});

test("beyond the maximum number of expressions, readable or not, nothing more is read", async () => {
  const items = ["{{ a }}", "{{ b", "{{ c", "{{ d }}"];
  const made = await readFor("workspace", items, (item, reader) => reader("template", item), 2);
  expect(made).toHaveLength(3);
  const [unlimited] = await readFor("workspace", [items], (all, reader) => all.map((text) => reader("template", text)));
  expect(unlimited?.map((text) => text !== null && Object.keys(text)[0])).toEqual([
    "template",
    "problem",
    "problem",
    "template",
  ]);
  const [texts] = await readFor("workspace", [items], (all, reader) => all.map((text) => reader("template", text)), 2);
  expect(texts?.map((text) => text === null)).toEqual([false, false, false, true]);
});

test("a source that takes too long kills the thread and is reported as unreadable; the next one gets a new thread", async () => {
  const thread = new ReaderThread(1);
  const [first, second] = await Promise.all([thread.read("code", "return 1"), thread.read("code", "return 2")]);
  expect([first, second]).toEqual([unreadable, unreadable]);
});
