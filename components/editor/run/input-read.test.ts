import { expect, test } from "vitest";
import { nodeOf } from "../testing/draft-of.ts";
import { inputRead } from "./run-button.tsx";

const readBy = (...configs: object[]) =>
  inputRead(configs.map((config, index) => ({ ...nodeOf(`n${index}`), config: { ...config } })));

test("an input has what the flow's expressions read, with empty values", () => {
  expect(readBy({ message: "Dear {{ $trigger.body.customer.name }}, {{ $trigger.body.customer?.email }}" })).toEqual({
    customer: { name: "", email: "" },
  });
  expect(readBy({ condition: "$trigger.body.total > 100" }, { message: "{{ $trigger.query.page }}" })).toEqual({
    total: "",
  });
});

test("what loops run over, and what is used as a list, is an empty list", () => {
  expect(readBy({ items: "$trigger.body.orders" })).toEqual({ orders: [] });
  expect(readBy({ items: "{{ $trigger.body.orders }}", body: { nodes: [] } })).toEqual({ orders: [] });
  expect(readBy({ condition: "$trigger.body.items?.length > 0" })).toEqual({ items: [] });
  expect(readBy({ code: "return $trigger.body.a.rows.map((row) => row.id);" })).toEqual({ a: { rows: [] } });
});

test("methods are no fields, and what is known of a field stays", () => {
  expect(readBy({ message: "{{ $trigger.body.name.toUpperCase() }}" })).toEqual({ name: "" });
  expect(readBy({ a: "$trigger.body.x.y", b: "$trigger.body.x", c: "$trigger.body.x.length" })).toEqual({
    x: { y: "" },
  });
  expect(readBy({ a: "$trigger.body.x", b: "$trigger.body.x.y" })).toEqual({ x: { y: "" } });
  expect(readBy({ a: "$trigger.body.__proto__.y" })).toEqual({});
});

test("a flow that reads nothing of its input has an empty one", () => {
  expect(readBy({ message: "hello" })).toEqual({});
});
