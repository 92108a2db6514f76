import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readFlowFile } from "./read-flow-file.ts";

const read = (text: string) => readFlowFile(new File([text], "flow.json"));

test("a POST /flows body can be imported as well as an exported document", async () => {
  const text = readFileSync("examples/order-intake.json", "utf8");
  expect(await read(text)).toEqual({ version: "1.0.0", flow: JSON.parse(text) });
  const exported = { version: "1.0.0", flow: { name: "A" } };
  expect(await read(JSON.stringify(exported))).toEqual(exported);
});

test.each([
  ["{", "flow.json is not JSON"],
  ["[]", "flow.json is not a flow"],
  ['{"nodes": []}', "flow.json is not a flow"],
])("%s is refused in words", async (text, words) => {
  await expect(read(text)).rejects.toThrow(words);
});
