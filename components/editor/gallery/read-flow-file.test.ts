import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readFlowFile } from "./read-flow-file.ts";

const read = (text: string) => readFlowFile(new File([text], "flow.json"));

test("a POST /flows body can be imported as well as an exported document", async () => {
  const text = readFileSync("examples/order-intake.json", "utf8");
  expect(await read(text)).toEqual({ data: { version: "1.0.0", flow: JSON.parse(text) } });
  const exported = { version: "1.0.0", flow: { name: "A" } };
  expect(await read(JSON.stringify(exported))).toEqual({ data: exported });
});

test("a workflow of n8n is known by its nodes and connections", async () => {
  const document = { nodes: [], connections: {} };
  expect(await read(JSON.stringify(document))).toEqual({ format: "n8n", document });
});

test("a flow's text is left to the API to read", async () => {
  const text = "version: 1\nname: A\ntrigger:\n  type: manual\n";
  expect(await read(text)).toEqual({ text });
});

test.each([
  ["{", "flow.json is not valid JSON"],
  ["hello", "flow.json is neither JSON nor the YAML of a flow"],
  ["[]", "flow.json is not a flow"],
  ['{"nodes": []}', "flow.json is not a flow"],
])("%s is refused in words", async (text, words) => {
  await expect(read(text)).rejects.toThrow(words);
});
