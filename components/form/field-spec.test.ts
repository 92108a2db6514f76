import { expect, test } from "vitest";
import { problemText, readFields } from "./field-spec.ts";

const kinds = (properties: Record<string, unknown>) =>
  Object.fromEntries(readFields({ type: "object", properties }).map((field) => [field.name, field.kind]));

test("a schema's type and format choose the widget", () => {
  expect(
    kinds({
      url: { type: "string" },
      notes: { type: "string", format: "plain" },
      condition: { format: "expression" },
      code: { type: "string", format: "code" },
      method: { type: "string", enum: ["GET"] },
      timeout: { type: "integer" },
      follow: { type: "boolean" },
      headers: { type: "object", additionalProperties: { type: "string" } },
      retry: { type: "object", properties: { times: { type: "integer" } } },
      cases: { type: "array", items: { type: "object", properties: { id: { type: "string" } } } },
      statuses: { type: "array", items: { type: "integer" } },
      names: { type: "array", items: { type: "string" } },
      wait: { type: "number", format: "duration" },
      until: { anyOf: [{ type: "string" }, { type: "number" }], format: "date-time" },
      when: { type: "string", format: "cron" },
      zone: { type: "string", format: "time-zone" },
      flow: { type: "string", format: "flow" },
      body: {},
      credential: { type: "string", format: "credential" },
    }),
  ).toEqual({
    url: "text",
    notes: "plain",
    condition: "program",
    code: "code",
    method: "choice",
    timeout: "number",
    follow: "boolean",
    headers: "map",
    retry: "object",
    cases: "list",
    statuses: "values",
    names: "values",
    wait: "duration",
    until: "moment",
    when: "cron",
    zone: "zone",
    flow: "flow",
    body: "json",
    credential: "credential",
  });
});

test("required fields, bounds and nested fields are read; a non-schema has no fields", () => {
  const [url, retry, mode] = readFields({
    required: ["url"],
    properties: {
      url: { type: "string", title: "URL" },
      retry: { type: "object", properties: { times: { type: "integer", maximum: 10 } } },
      mode: { enum: ["one"], labels: { "": "None", one: "The one" } },
    },
  });
  expect(url).toMatchObject({ title: "URL", required: true });
  expect(retry?.fields[0]).toMatchObject({ name: "times", maximum: 10, required: false });
  expect(mode).toMatchObject({ kind: "choice", options: ["one"], labels: { "": "None", one: "The one" } });
  expect(readFields(null)).toEqual([]);
  expect(readFields({ properties: { odd: 7 } })).toMatchObject([{ kind: "json" }]);
});

test.each([
  ["is required", "Required"],
  ["is required, unless flowId is given", "Required, unless flowId is given"],
  ["waits for ever when nobody answers", "Waits for ever when nobody answers"],
  ["apiKey must have at least 4 characters", "apiKey must have at least 4 characters"],
  ["“Pay” is unknown", "“Pay” is unknown"],
])("%s", (message, shown) => expect(problemText(message)).toBe(shown));
