import { expect, test } from "vitest";
import { readFields } from "#components/form/field-spec.ts";
import type { FlowTrigger } from "#lib/engine/flow.ts";
import { usedTriggerSchema } from "./trigger-schemas.ts";

const asks = (type: FlowTrigger["type"], config: FlowTrigger["config"]) =>
  readFields(usedTriggerSchema({ type, config })).map(({ name }) => name);

test("a trigger asks for a credential only if callers authenticate, and for a preset only if they sign", () => {
  expect(asks("webhook", {})).toEqual(["method", "authentication", "respond"]);
  expect(asks("webhook", { authentication: "none" })).toEqual(["method", "authentication", "respond"]);
  expect(asks("webhook", { authentication: "basic" })).toEqual(["method", "authentication", "credential", "respond"]);
  expect(asks("webhook", { authentication: "hmac" })).toContain("preset");
  expect(asks("form", {})).not.toContain("credential");
  expect(asks("form", { authentication: "basic" })).toContain("credential");
});

test("a setting that is set stays, so that it can be removed", () => {
  expect(asks("webhook", { credential: "shop" })).toContain("credential");
  expect(asks("webhook", { authentication: "basic", preset: "github" })).toContain("preset");
});

test("a mail trigger asks for its credential", () => {
  expect(asks("mail", {})).toContain("credential");
});
