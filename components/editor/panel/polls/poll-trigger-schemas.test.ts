import { expect, test } from "vitest";
import { readFields } from "#components/form/field-spec.ts";
import { withFieldTitles } from "#lib/engine/issue-message.ts";
import { nodeManifests } from "#lib/nodes/registry.ts";
import { pollTriggerSchemas, withRequestForm } from "./poll-trigger-schemas.ts";

const requestSchema = nodeManifests().find(({ type }) => type === "http-request")?.configSchema;

test("a poll's request is asked for as the node HTTP request asks for its own, without what only nodes have", () => {
  const fields = readFields(withRequestForm("poll", pollTriggerSchemas.poll, requestSchema));
  const request = fields.find(({ name }) => name === "request");
  expect(request).toMatchObject({ kind: "object", required: true, title: "Request" });
  const names = request?.fields.map(({ name }) => name) ?? [];
  expect(names).toEqual(expect.arrayContaining(["method", "url", "query", "headers", "credential", "body", "retry"]));
  expect(names).not.toEqual(expect.arrayContaining(["onError"]));
  expect(request?.fields.find(({ name }) => name === "credential")?.kind).toBe("credential");
});

test("every other trigger keeps its form, and a poll's shows JSON where the node is not known", () => {
  expect(withRequestForm("rss", pollTriggerSchemas.rss, requestSchema)).toBe(pollTriggerSchemas.rss);
  expect(withRequestForm("poll", pollTriggerSchemas.poll, undefined)).toBe(pollTriggerSchemas.poll);
  const kinds = Object.fromEntries(readFields(pollTriggerSchemas.poll).map(({ name, kind }) => [name, kind]));
  expect(kinds).toMatchObject({ everyMs: "duration", items: "program", key: "program", cron: "cron", request: "json" });
});

test("why a poll failed names the fields as the form does", () => {
  const schema = withRequestForm("poll", pollTriggerSchemas.poll, requestSchema);
  const messageOf = (error: string) => withFieldTitles(error, schema);
  expect(messageOf("items: must be a list, but is text")).toBe("Items must be a list, but is text");
  expect(messageOf("key: failed for item 3: boom")).toBe("Key: failed for item 3: boom");
  expect(messageOf("request.url: must be a web address")).toBe("Request: URL must be a web address");
  expect(messageOf("The feed's server answered 500")).toBe("The feed's server answered 500");
});
