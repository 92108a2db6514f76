import { expect, test } from "vitest";
import { settingsText } from "./offered-commands.tsx";

test("a node's settings are searched with all their texts and numbers, without the nodes of its body", () => {
  const body = { nodes: [{ id: "a", config: { message: "inner" } }], edges: [] };
  const config = { url: "https://shop.example", headers: { accept: "text/csv" }, retries: 3, items: ["x", null], body };
  expect(settingsText(config, 1_000)).toBe("https://shop.example text/csv 3 x");
});

test("of long settings, the beginning", () => {
  expect(settingsText({ a: "x".repeat(50), b: "y" }, 10)).toBe("x".repeat(10));
  expect(settingsText({ a: "xxx", b: "yyyyyyyyyy" }, 10)).toBe("xxx yyyyyy");
});
