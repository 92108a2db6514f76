import { describe, expect, test } from "vitest";
import { document, ok, service } from "./pets-document.ts";

describe("a document", () => {
  test("has parameters of paths and operations, with their places", () => {
    const parameters = [
      { name: "id", in: "path", required: true, schema: { type: "integer" } },
      { $ref: "#/components/parameters/trace" },
    ];
    const get = {
      parameters: [
        { name: "tags", in: "query", schema: { type: "array", items: { type: "string" } }, description: "Any of" },
        { name: "session", in: "cookie", schema: { type: "string" } },
        { name: "Authorization", in: "header", schema: { type: "string" } },
      ],
      responses: ok,
    };
    const components = { parameters: { trace: { name: "X-Trace", in: "header", schema: { type: "string" } } } };
    const [operation] = service(document({ components, paths: { "/pets/{id}": { parameters, get } } })).operations;
    expect(operation).toMatchObject({
      headers: ["X-Trace"],
      parameters: {
        properties: { id: { type: "integer" }, "X-Trace": {}, tags: { type: "array", description: "Any of" } },
        required: ["id"],
      },
    });
    expect(Object.keys(operation?.parameters?.properties ?? {})).toEqual([
      "id",
      "X-Trace",
      "tags",
      "session",
      "region",
    ]);
    expect(operation?.cookies).toEqual(["session"]);
    expect(operation).not.toHaveProperty("styles");
  });

  test("has the styles of parameters that are not plain text", () => {
    const list = { type: "array", items: { type: "string" } };
    const object = { type: "object", properties: { a: { type: "string" } } };
    const parameters = [
      { name: "plain", in: "path", schema: { type: "string" } },
      { name: "ids", in: "path", schema: list },
      { name: "at", in: "path", style: "matrix", explode: true, schema: { type: "integer" } },
      { name: "tags", in: "query", schema: list },
      { name: "few", in: "query", explode: false, schema: list },
      { name: "piped", in: "query", style: "pipeDelimited", schema: list },
      { name: "spaced", in: "query", style: "spaceDelimited", explode: true, schema: list },
      { name: "filter", in: "query", style: "deepObject", explode: true, schema: object },
      { name: "spread", in: "query", schema: object },
      { name: "any", in: "query", schema: {} },
      { name: "json", in: "query", content: { "application/json": { schema: object } } },
      { name: "X-Ids", in: "header", explode: true, schema: list },
      { name: "wrong", in: "query", style: "label", schema: list },
      { name: "jar", in: "cookie", explode: false, schema: list },
      { name: "not a token", in: "cookie", schema: list },
    ];
    const get = { parameters, responses: ok };
    const [operation] = service(document({ paths: { "/{plain}/{ids}/{at}": { get } } })).operations;
    expect(operation?.styles).toEqual({
      ...{ ids: "simple", at: "matrix*", few: "form", piped: "pipeDelimited", spaced: "spaceDelimited*" },
      ...{ filter: "deepObject", spread: "form*", any: "form*", json: "json", "X-Ids": "simple*", jar: "form" },
    });
    expect([operation?.headers, operation?.cookies]).toEqual([["X-Ids"], ["jar"]]);
  });

  test("has servers of operations and paths, and variables of servers as parameters", () => {
    const servers = [
      {
        url: "https://{region}.pets.test/{version}?x#y",
        variables: { region: { enum: ["eu", "us"], default: "us", description: "Where." }, version: { default: "v1" } },
      },
    ];
    const region = { name: "region", in: "query", schema: { type: "string" } };
    const made = service(
      document({
        servers,
        paths: {
          "/a": { get: { responses: ok } },
          "/b": {
            servers: [{ url: "https://files.pets.test/" }],
            get: { parameters: [region], responses: ok },
            put: { servers: [{ url: "/upload" }], responses: ok },
          },
          "/c": { get: { servers: [{ url: "wss://pets.test" }], responses: ok } },
          "/d": { get: { servers: [{ url: "https://{none}.pets.test" }], responses: ok } },
          "/e": { get: { parameters: [region], responses: ok } },
        },
      }),
    );
    expect(made.baseUrl).toBe("https://us.pets.test/v1");
    const [a, b, put, e] = made.operations;
    expect(a).toMatchObject({
      server: {
        url: "https://{region}.pets.test/{version}",
        variables: {
          region: { parameter: "region", default: "us", choices: ["eu", "us"] },
          version: { parameter: "version", default: "v1", choices: [] },
        },
      },
      parameters: {
        properties: {
          region: { type: "string", enum: ["eu", "us"], description: "Of the server's address. Where. Default: us" },
          version: { type: "string" },
        },
        required: [],
      },
    });
    expect(b?.server).toEqual({ url: "https://files.pets.test", variables: {} });
    expect(put?.server?.url).toBe("https://us.pets.test/upload");
    expect(e?.server?.variables.region?.parameter).toBe("server_region");
    expect(made.skipped).toEqual(
      ["GET /c", "GET /d"].map((operation) => ({ operation, reason: "its server has no address that can be called" })),
    );
  });

  test.each([
    ["/v1", "https://docs.test/v1"],
    ["v1", "https://docs.test/api/v1"],
    ["./v1/", "https://docs.test/api/v1"],
    ["//pets.test/v1", "https://pets.test/v1"],
    ["{scheme}://pets.test", "https://pets.test"],
    ["https://me:you@pets.test", null],
    ["https://{port}.test", null],
  ])("at an address with the server %s is called at %s", (url, baseUrl) => {
    const servers = [{ url, variables: { scheme: { default: "https" } } }];
    expect(service(document({ servers }), "https://docs.test/api/openapi.json").baseUrl).toBe(baseUrl);
  });
});
