// Calls of operations imported from OpenAPI documents: the request has the right form and goes nowhere else.
import { describe, expect, test } from "vitest";
import type { ParameterStyle } from "#lib/services/model/service.ts";
import type { StoredCall } from "#lib/services/model/stored.ts";
import { json, runCall } from "./testing/run-call.ts";

function storedRead(path: string, names: readonly string[]): StoredCall {
  const properties = Object.fromEntries(names.map((name) => [name, {}]));
  return {
    service: { id: "svc_1", name: "Pets", baseUrl: "https://pets.test", credentials: [] },
    operation: {
      ...{ id: "read", name: "Read", description: "", group: "", method: "GET", path, headers: [] },
      parameters: { type: "object", properties, required: names },
      ...{ body: null, isWhole: false, bodyType: "json", contentType: null, answer: null, answersFile: false },
    },
  };
}

describe("a call of an imported operation", () => {
  test("never writes a token into an imported path's parameter named credential", async () => {
    const { sent } = await runCall(
      { service: "svc_1", operation: "read", credential: "bot", parameters: { credential: "c7" } },
      [json({})],
      { operation: async () => storedRead("/credentials/{credential}", ["credential"]) },
    );
    expect(sent).toMatchObject([
      { url: "https://pets.test/credentials/c7", headers: { authorization: "Bearer 123:secret-token" } },
    ]);
  });

  test("writes parameters in the styles of their document, including cookies", async () => {
    const styles: Readonly<Record<string, ParameterStyle>> = {
      ...{ at: "matrix", ids: "label*", few: "form", piped: "pipeDelimited", filter: "deepObject" },
      ...{ "x-ids": "simple", jar: "form" },
    };
    const names = [...Object.keys(styles), "plain", "session"];
    const stored = storedRead("/pets{at}/{ids}", names);
    const operation = async (): Promise<StoredCall> => ({
      ...stored,
      operation: { ...stored.operation, headers: ["x-ids"], cookies: ["session", "jar"], styles },
    });
    const list = ["a b", "c,d"];
    const parameters = {
      ...{ at: list, ids: list, few: list, piped: list, filter: { kind: "cat", age: { gte: 3 } }, "x-ids": list },
      ...{ jar: list, plain: "x y", session: "s; path=/" },
    };
    const { sent } = await runCall({ service: "svc_1", operation: "read", parameters }, [json({})], { operation });
    const query = "few=a%20b,c%2Cd&piped=a%20b%7Cc%2Cd&filter%5Bkind%5D=cat&filter%5Bage%5D%5Bgte%5D=3&plain=x+y";
    expect(sent[0]).toMatchObject({
      url: `https://pets.test/pets;at=a%20b,c%2Cd/.a%20b.c%2Cd?${query}`,
      headers: { "x-ids": "a b,c,d", cookie: "jar=a%20b,c%2Cd; session=s%3B%20path%3D%2F" },
    });
  });

  test("takes a parameter's name for nothing but a name, even one that every object has", async () => {
    const stored = storedRead("/teams/{constructor}", ["constructor", "valueOf", "piped"]);
    const styles: Readonly<Record<string, ParameterStyle>> = { piped: "pipeDelimited" };
    const operation = async () => ({ ...stored, operation: { ...stored.operation, styles } });
    const parameters = { constructor: "ferrari", valueOf: 1, piped: ["a", "b"] };
    const { sent } = await runCall({ service: "svc_1", operation: "read", parameters }, [json({})], { operation });
    expect(sent[0]?.url).toBe("https://pets.test/teams/ferrari?piped=a%7Cb&valueOf=1");
  });

  test.each([
    ["label", ""],
    ["label", "."],
    ["simple", ["."]],
    ["simple", [".."]],
    ["simple", []],
    ["label*", ["", ""]],
  ] as const)("refuses a step of the style %s that leads elsewhere: %j", async (style, at) => {
    const stored = storedRead("/pets/{at}", ["at"]);
    const operation = async () => ({ ...stored, operation: { ...stored.operation, styles: { at: style } } });
    const config = { service: "svc_1", operation: "read", parameters: { at } };
    await expect(runCall(config, [], { operation })).rejects.toMatchObject({
      code: "INVALID_CONFIG",
      field: "parameters.at",
    });
  });

  describe("of an operation with its own server", () => {
    const stored = storedRead("/pets", []);
    const variables = {
      tenant: { parameter: "tenant", default: "demo", choices: [] },
      region: { parameter: "server_region", default: "eu", choices: ["eu", "us"] },
    };
    const server = { url: "https://{tenant}.{region}.pets.test/v1", variables };
    const properties = { tenant: {}, server_region: {}, q: {} };
    const operation = async (): Promise<StoredCall> => ({
      ...stored,
      operation: { ...stored.operation, server, parameters: { type: "object", properties, required: [] } },
    });
    const callConfig = { service: "svc_1", operation: "read" };

    test.each([
      [{}, "https://demo.eu.pets.test/v1/pets"],
      [{ tenant: "shop-1", server_region: "us", q: "x" }, "https://shop-1.us.pets.test/v1/pets?q=x"],
      [{ tenant: null, server_region: "" }, "https://demo.eu.pets.test/v1/pets"],
    ])("%j is sent to %s", async (parameters, url) => {
      expect((await runCall({ ...callConfig, parameters }, [json({})], { operation })).sent[0]?.url).toBe(url);
    });

    test("the node's base URL wins", async () => {
      const config = { ...callConfig, baseUrl: "https://mine.test", parameters: { tenant: "a" } };
      expect((await runCall(config, [json({})], { operation })).sent[0]?.url).toBe("https://mine.test/pets");
    });

    test.each([
      [{ tenant: "evil.test/" }, "parameters.tenant"],
      [{ tenant: "evil.test#" }, "parameters.tenant"],
      [{ tenant: "a@evil.test" }, "parameters.tenant"],
      [{ tenant: ".." }, "parameters.tenant"],
      [{ tenant: ["a"] }, "parameters.tenant"],
      [{ server_region: "mars" }, "parameters.server_region"],
    ])("%j is refused", async (parameters, field) => {
      const refused = runCall({ ...callConfig, parameters }, [], { operation });
      await expect(refused).rejects.toMatchObject({ code: "INVALID_CONFIG", field });
    });
  });

  test.each(["..", ".", "%2e%2E", ""])("refuses a path segment that leads elsewhere: %j", async (id) => {
    const operation = async () => storedRead("/pets/{id}", ["id"]);
    const config = { service: "svc_1", operation: "read", parameters: { id } };
    await expect(runCall(config, [], { operation })).rejects.toMatchObject({ code: "INVALID_CONFIG" });
  });

  test.each(["//elsewhere.test/x", "/@elsewhere.test", "/..//elsewhere.test"])(
    "stays on the host whatever the path of a document: %s",
    async (path) => {
      const operation = async () => storedRead(path, []);
      const { sent } = await runCall({ service: "svc_1", operation: "read" }, [json({})], { operation });
      expect(new URL(sent[0]?.url ?? "").host).toBe("pets.test");
    },
  );

  test("uses the operation as the workspace stored it", async () => {
    const stored: StoredCall = {
      service: { id: "svc_1", name: "Pets", baseUrl: "https://pets.test/v1/", credentials: [] },
      operation: {
        ...{ id: "put-pet", name: "Put a pet", description: "", group: "", method: "PUT", path: "/pets/{id}" },
        parameters: { type: "object", properties: { id: {}, "x-trace": {}, tags: {} }, required: ["id"] },
        headers: ["x-trace"],
        body: { type: "object", properties: { value: {} }, required: ["value"] },
        ...{ isWhole: true, bodyType: "json", contentType: null, answer: null, answersFile: false },
      },
    };
    const config = { service: "svc_1", operation: "put-pet" };
    const operation = async () => stored;
    const parameters = { id: 7, "x-trace": "t", tags: ["a", "b"] };
    const { sent } = await runCall({ ...config, parameters, body: { value: [1] } }, [json({})], { operation });
    expect(sent).toMatchObject([
      { method: "PUT", url: "https://pets.test/v1/pets/7?tags=a&tags=b", headers: { "x-trace": "t" }, body: "[1]" },
    ]);
    await expect(runCall({ ...config, body: { value: 1 } }, [], { operation })).rejects.toMatchObject({
      code: "INVALID_CONFIG",
      message: "parameters.id: is required",
    });
  });
});
