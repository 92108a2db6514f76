import { describe, expect, it } from "vitest";
import type { Tryable, TryableField } from "./operation.ts";
import { missingFields, requestOf } from "./request-form.tsx";

const field = (place: TryableField["in"], name: string, isRequired = false): TryableField => ({
  in: place,
  name,
  isRequired,
  description: "",
  example: "",
  options: [],
});

const operation: Tryable = {
  id: "changeThing",
  method: "POST",
  path: "/things/{id}/do",
  base: "/api/v1",
  access: { isOpen: false, takesKeys: true, takesSessions: true, scopes: [] },
  isDestructive: false,
  fields: [field("path", "id", true), field("query", "limit"), field("header", "If-Match")],
  body: "{}",
};
const withId = (id: string) => ({ path: { id }, query: { limit: "" }, header: {} });
const values = { path: { id: "a/b" }, query: { limit: "5" }, header: { "If-Match": '"7"' } };
const filled = { values, body: '{"n":1}', key: "" };

describe("a request", () => {
  it("puts the values in their places", () => {
    const { url, init } = requestOf(operation, filled);
    expect(url).toBe("/api/v1/things/a%2Fb/do?limit=5");
    expect(init).toEqual({
      method: "POST",
      headers: [
        ["If-Match", '"7"'],
        ["Content-Type", "application/json"],
      ],
      credentials: "same-origin",
      body: '{"n":1}',
    });
  });

  it("leaves out empty ones", () => {
    const { url, init } = requestOf(operation, { values: withId("x"), body: " ", key: "" });
    expect(url).toBe("/api/v1/things/x/do");
    expect(init).toEqual({ method: "POST", headers: [], credentials: "same-origin" });
  });

  it("with a key is sent without the session, like a program's", () => {
    const { init } = requestOf(operation, { ...filled, key: "mr_key" });
    expect(init.credentials).toBe("omit");
    expect(init.headers).toContainEqual(["Authorization", "Bearer mr_key"]);
  });

  it("waits for required values", () => {
    expect(missingFields(operation, withId(" "))).toEqual(["id"]);
    expect(missingFields(operation, values)).toEqual([]);
  });
});
