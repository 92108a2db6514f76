import { describe, expect, test } from "vitest";
import { cpuTime } from "#e2e/support/longest-turn.ts";
import { readInWorker } from "#lib/service-imports/fetch-document.ts";
import { documentLimits } from "./imported.ts";
import { document, ok, read, service } from "./pets-document.ts";
import { readDocument } from "./read-document.ts";

const problemOf = (value: unknown) => {
  const made = typeof value === "string" ? readDocument(value, null) : read(value);
  return "problem" in made ? made.problem : null;
};
const withBody = (schema: unknown, components: object = {}) =>
  document({
    components,
    paths: { "/pets": { post: { requestBody: { content: { "application/json": { schema } } }, responses: ok } } },
  });
const bodyOf = (schema: unknown, components: object = {}) => service(withBody(schema, components)).operations[0]?.body;

describe("a document", () => {
  test("becomes a service with its base URL and operations", () => {
    expect(service(document())).toMatchObject({
      title: "Pets",
      baseUrl: "https://eu.pets.test/v1",
      operations: [
        {
          ...{ id: "listPets", name: "List pets", group: "Pets", method: "GET", path: "/pets" },
          parameters: { properties: { region: { description: "Of the server's address. Default: eu" } }, required: [] },
        },
      ],
    });
  });

  test("has texts that are not cut within a character", () => {
    const info = { title: `${"a".repeat(99)}🎈`, description: `${"a".repeat(498)}🎈` };
    const { title, description } = service(document({ info }));
    expect([title, description]).toEqual(["a".repeat(99), info.description]);
  });

  test("may be YAML, and version 3.1", () => {
    const yaml = "openapi: 3.1.0\ninfo: {title: Pets, version: '1'}\npaths:\n  /pets:\n    get: {responses: {}}\n";
    expect(readDocument(yaml, "https://pets.test/docs/openapi.yaml")).toMatchObject({
      service: { baseUrl: "https://pets.test", operations: [{ id: "get-pets", name: "GET /pets" }] },
    });
  });

  test("has bodies with references resolved and `allOf` merged", () => {
    const components = {
      schemas: {
        Base: {
          type: "object",
          properties: { id: { type: "string", readOnly: true }, name: { type: "string" } },
          required: ["id", "name"],
        },
        Pet: { allOf: [{ $ref: "#/components/schemas/Base" }, { properties: { kind: { enum: ["cat", "dog"] } } }] },
      },
    };
    expect(bodyOf({ $ref: "#/components/schemas/Pet" }, components)).toEqual({
      type: "object",
      properties: { name: { type: "string" }, kind: { enum: ["cat", "dog"] } },
      required: ["name"],
    });
  });

  test("has bodies that are not objects as one value", () => {
    expect(bodyOf({ type: "array", items: { type: "string" } })).toEqual({
      type: "object",
      properties: { value: { title: "Body", type: "array", items: { type: "string" } } },
      required: [],
    });
  });

  test.each(["text/plain\r\nx-more: 1", "text/", "\u2603 xml", `text/${"a".repeat(100)}`])(
    "sends no body of a media type that is none: %j",
    (type) => {
      const post = { requestBody: { content: { [type]: { schema: { type: "string" } } } }, responses: ok };
      expect(service(document({ paths: { "/pets": { post } } })).operations[0]).toMatchObject({
        body: null,
        contentType: null,
      });
    },
  );

  test("accepts recursive schemas, up to the recursion", () => {
    const Tree = {
      type: "object",
      properties: {
        name: { type: "string" },
        children: { type: "array", items: { $ref: "#/components/schemas/Tree" } },
      },
    };
    expect(bodyOf({ $ref: "#/components/schemas/Tree" }, { schemas: { Tree } })).toMatchObject({
      properties: { name: { type: "string" }, children: { type: "array", items: {} } },
    });
  });

  test("turns its security schemes into kinds of credentials", () => {
    const securitySchemes = {
      a: { type: "http", scheme: "bearer" },
      b: { type: "http", scheme: "Basic" },
      c: { type: "apiKey", in: "header", name: "X-Key", description: "Yours." },
      d: { type: "apiKey", in: "cookie", name: "k" },
      e: {
        type: "oauth2",
        flows: {
          authorizationCode: {
            authorizationUrl: "https://x.test/a",
            tokenUrl: "https://x.test/t",
            scopes: { r: "", w: "" },
          },
        },
      },
    };
    expect(service(document({ components: { securitySchemes } })).credentials).toEqual([
      { type: "bearer", help: "A token." },
      { type: "basic", help: "A user name and a password." },
      { type: "header", name: "X-Key", help: "Yours." },
      {
        type: "oauth2",
        help: "Your own application.",
        authorizationUrl: "https://x.test/a",
        tokenUrl: "https://x.test/t",
        scopes: "r w",
      },
    ]);
  });

  test("gives each operation a unique id, and skips those that cannot be called", () => {
    const paths = {
      "/a": { get: { operationId: "same", responses: ok }, post: { operationId: "same", responses: ok } },
      "/b/{missing}": { get: { responses: ok } },
      "no-path": { get: { responses: ok } },
    };
    const { operations, skipped } = service(document({ paths }));
    expect(operations.map(({ id }) => id)).toEqual(["same", "same-2"]);
    expect(skipped.map(({ operation }) => operation)).toEqual(["GET /b/{missing}", "GET no-path"]);
  });

  test("may contain text that a database cannot store", () => {
    const paths = { "/a": { get: { summary: "a\u0000b\ud800", operationId: "\u0000", responses: ok } } };
    expect(service(document({ paths })).operations[0]).toMatchObject({ id: "get-a", name: "a\ufffdb\ufffd" });
  });
});

describe("refused is", () => {
  test.each([
    ["no object", "[]", "must be an object"],
    ["a text", "hello", "must be an object"],
    ["broken JSON", '{"openapi": "3.0.0",', "is neither JSON nor YAML"],
    ["Swagger 2", { swagger: "2.0", paths: {} }, "it is of version 2.0"],
    ["no version", { paths: {} }, "does not say its version"],
    ["no paths", { openapi: "3.0.0" }, "has no paths"],
    ["no operations", { openapi: "3.0.0", paths: {} }, "no operation that can be called"],
    ["a reference that leads out", withBody({ $ref: "https://evil.test/schema.json" }), "leads out of it"],
    ["a reference to a file", withBody({ $ref: "other.yaml#/a" }), "leads out of it"],
    ["a reference to nothing", withBody({ $ref: "#/components/schemas/None" }), "to something that does not exist"],
    [
      "references in a circle",
      withBody(
        { $ref: "#/components/schemas/A" },
        { schemas: { A: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/A" } } },
      ),
      "leads to itself",
    ],
    [
      "parts that have themselves as a part",
      withBody({ $ref: "#/components/schemas/A" }, { schemas: { A: { allOf: [{ $ref: "#/components/schemas/A" }] } } }),
      "more than 32 deep",
    ],
    [
      "YAML with aliases of aliases",
      `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefgh".replace(/./g, (letter, at: number) => `${letter}: &${letter} [${Array(9).fill(`*${"abcdefg"[at]}`)}]\n`)}`,
      "is neither JSON nor YAML",
    ],
  ])("%s", (_, given, message) => expect(problemOf(given)).toContain(message));

  test("nesting that exhausts a stack", () => {
    const deep = `{"openapi":"3.0.0","x":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    expect(problemOf(deep)).toMatch(/nested deeper|cannot be read|neither/);
    expect(problemOf(document({ x: JSON.parse(`${"[".repeat(150)}${"]".repeat(150)}`) }))).toContain("nested deeper");
  });

  test("parts that double at every level", () => {
    const schemas: Record<string, unknown> = { S0: { type: "object", properties: { a: {} } } };
    for (let index = 1; index <= 30; index += 1) {
      const part = { $ref: `#/components/schemas/S${index - 1}` };
      schemas[`S${index}`] = { allOf: [part, part] };
    }
    let problem: unknown;
    const read = () => {
      problem = problemOf(withBody({ $ref: "#/components/schemas/S30" }, { schemas }));
    };
    expect(cpuTime(read)).toBeLessThan(15_000);
    expect(problem).toContain("too expensive to read");
  });

  test("too many operations", () => {
    const get = { responses: ok };
    const paths = Object.fromEntries(
      Array.from({ length: documentLimits.operations + 1 }, (_, index) => [`/p${index}`, { get }]),
    );
    expect(problemOf(document({ paths }))).toContain("more than 2000 operations");
  });
});

test("a thread reads documents, and reports unreadable ones", async () => {
  expect(await readInWorker(JSON.stringify(document()), null, "own")).toMatchObject({ service: { title: "Pets" } });
  expect(await readInWorker("{", null, "own")).toMatchObject({ problem: expect.stringContaining("neither") });
});

test("workspaces take turns, and none waits with more than twenty documents", async () => {
  const ended: string[] = [];
  const start = async (workspaceId: string) => {
    const read = await readInWorker("{", null, workspaceId);
    if (read === "busy") return read;
    ended.push(workspaceId);
    return "read";
  };
  const many = Array.from({ length: 22 }, () => start("many"));
  const other = start("other");
  expect(await Promise.all([...many, other])).toEqual([...Array.from({ length: 21 }, () => "read"), "busy", "read"]);
  expect(ended).toEqual(["many", "many", "other", ...Array.from({ length: 19 }, () => "many")]);
});
