import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/engine/json.ts";
import { readOperations } from "./read-operations.ts";
import { readForms } from "./read-schema.ts";
import { findOperations } from "./reference-frame.tsx";

const document: JsonObject = {
  servers: [{ url: "https://flows.example.com/api/v1" }],
  paths: {
    "/things/{id}": {
      get: {
        operationId: "readThing",
        tags: ["Things"],
        summary: "Read a thing",
        security: [{ apiKey: ["things:read"] }, { session: ["things:read"] }],
        parameters: [{ in: "path", name: "id", required: true, schema: { type: "string", examples: ["t_1"] } }],
        responses: {
          200: {
            description: "Done",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" }, example: { id: "t_1" } } },
          },
          404: { $ref: "#/components/responses/Error404" },
        },
      },
    },
    "/health": {
      servers: [{ url: "https://flows.example.com/api" }],
      get: { operationId: "readHealth", security: [] },
      put: { operationId: "call", servers: [{ url: "https://hooks.example.com" }], security: [] },
    },
  },
  webhooks: { thingHappened: { post: { operationId: "receiveThing", tags: ["Things"], summary: "Receive it" } } },
  components: {
    responses: {
      Error404: {
        description: "Not found",
        content: {
          "application/json": {
            schema: { properties: { error: { properties: { code: { enum: ["NOT_FOUND"] } } } } },
          },
        },
      },
    },
    schemas: {
      Thing: {
        type: "object",
        properties: {
          id: { type: "string", minLength: 1, maxLength: 9, description: "Its id" },
          next: { anyOf: [{ $ref: "#/components/schemas/Thing" }, { type: "null" }] },
          tags: { type: "array", items: { type: "string", enum: ["a", "b"] }, maxItems: 50, default: [] },
        },
        required: ["id"],
      },
    },
  },
};

describe("operations are read from the document", () => {
  const [readThing, event, health, call] = readOperations(document);

  it("with their callers, input and answers, following references", () => {
    expect(readThing).toMatchObject({
      id: "readThing",
      method: "GET",
      base: "https://flows.example.com/api/v1",
      access: { isOpen: false, takesKeys: true, takesSessions: true, scopes: ["things:read"] },
      parameters: [{ name: "id", in: "path", isRequired: true, example: "t_1" }],
      answers: [
        { status: "200", codes: [] },
        { status: "404", codes: ["NOT_FOUND"] },
      ],
    });
  });

  it("with their own server", () => {
    expect(health).toMatchObject({ base: "https://flows.example.com/api", access: { isOpen: true } });
    expect(call).toMatchObject({ base: "https://hooks.example.com" });
  });

  it("separate from the events that the service sends", () => {
    expect(event).toMatchObject({ id: "receiveThing", isEvent: true, method: "POST" });
    expect(readThing).toMatchObject({ isEvent: false });
  });

  it("and found by their text, path and method, in any case", () => {
    const links = readOperations(document);
    expect(findOperations(links, "GET thing").map(({ id }) => id)).toEqual(["readThing"]);
    expect(findOperations(links, "get /HEALTH").map(({ id }) => id)).toEqual(["readHealth"]);
    expect(findOperations(links, "delete")).toEqual([]);
    expect(findOperations(links, " ")).toHaveLength(4);
  });
});

describe("schemas are read", () => {
  const [form] = readForms(document, { $ref: "#/components/schemas/Thing" });

  it("as fields with type, limits, options and defaults", () => {
    expect(form?.fields).toMatchObject([
      { name: "id", type: "string", isRequired: true, description: "Its id", facts: ["1 to 9 characters"] },
      { name: "next", type: "Thing or null", isRequired: false },
      { name: "tags", type: "array of string", options: ["a", "b"], facts: ["at most 50 items", "default []"] },
    ]);
  });

  it("to a limited depth if they contain themselves", () => {
    let depth = 0;
    for (let at = form; at !== undefined; at = at.fields[1]?.inside[0]) depth += 1;
    expect(depth).toBe(6);
  });
});
