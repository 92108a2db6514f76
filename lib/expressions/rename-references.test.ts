import { expect, test } from "vitest";
import type { Json } from "#lib/engine/json.ts";
import { nodesReadBy, renameReferences } from "./rename-references.ts";

const renames = new Map([
  ["rate", "rate-2"],
  ["it's", "its"],
]);
const rename = (value: Json) => renameReferences(value, renames, (field) => field === "transform");

test("references are rewritten at any depth, in either notation", () => {
  expect(
    rename({ url: "/{{ $nodes['rate'].output.id }}/{{$nodes.rate.output}}", body: [{ x: '{{ $nodes["rate"] }}' }] }),
  ).toEqual({
    url: "/{{ $nodes['rate-2'].output.id }}/{{$nodes['rate-2'].output}}",
    body: [{ x: "{{ $nodes['rate-2'] }}" }],
  });
  expect(rename("{{ $nodes['it\\'s'].output }}")).toBe("{{ $nodes['its'].output }}");
});

test("a program field is rewritten as an expression, as a function body and as a template", () => {
  expect(rename({ transform: "$nodes['rate'].output" })).toEqual({ transform: "$nodes['rate-2'].output" });
  expect(rename({ transform: "const r = $nodes.rate;\nreturn r.output;" })).toEqual({
    transform: "const r = $nodes['rate-2'];\nreturn r.output;",
  });
  expect(rename({ transform: "{{ $nodes.rate.output }}" })).toEqual({ transform: "{{ $nodes['rate-2'].output }}" });
  expect(rename({ transform: { total: "{{ $nodes.rate.output }}" } })).toEqual({
    transform: { total: "{{ $nodes['rate-2'].output }}" },
  });
});

test("what only looks like a reference is unchanged", () => {
  for (const text of [
    "$nodes['rate'] in words",
    "{{ \"$nodes['rate']\" }}",
    "\\{{ $nodes['rate'] }}",
    "{{ $nodes['other'] }}",
    "{{ mine.$nodes }}",
  ]) {
    expect(rename(text)).toBe(text);
  }
});

test("an expression that cannot be parsed is unchanged, and those after it are still rewritten", () => {
  expect(rename("{{ $nodes['rate'] + }} {{ $nodes['rate'] }}")).toBe("{{ $nodes['rate'] + }} {{ $nodes['rate-2'] }}");
  expect(rename({ transform: "const = $nodes['rate']" })).toEqual({ transform: "const = $nodes['rate']" });
});

test("references in a text are found in the same way, by parsing", () => {
  expect([
    ...nodesReadBy("a {{ $nodes['it\\'s'].output }} {{ $nodes.b }} $nodes.c {{ '$nodes.d' }}", () => false),
  ]).toEqual(["it's", "b"]);
  expect([...nodesReadBy("const x = 1;\nreturn $nodes.b.output + x;", () => true)]).toEqual(["b"]);
  const config = { transform: "$nodes.b.output", notes: ["$nodes.c", { deep: "{{ $nodes['d'].output }}" }] };
  expect([...nodesReadBy(config, (field) => field === "transform")]).toEqual(["b", "d"]);
});
