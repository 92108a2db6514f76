import { describe, expect, it } from "vitest";
import { get } from "#e2e/support/api-client.ts";
import { createFlow, node } from "#e2e/support/flows.ts";

interface NodeType {
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly handles: { readonly fixed: string[]; readonly each?: string; readonly labels?: Record<string, string[]> };
  readonly configSchema: {
    readonly type: string;
    readonly properties: Record<string, unknown>;
    readonly required?: string[];
  };
  readonly example: Record<string, unknown>;
}

const read = async () => (await get<NodeType[]>("/node-types")).data;
const nodeType = async (type: string) => (await read()).find((found) => found.type === type);

describe("the catalogue of node types", () => {
  // Proves node.own-types
  it("has at least the types that flows are made of, each once", async () => {
    const types = (await read()).map(({ type }) => type);
    expect(types).toEqual(
      expect.arrayContaining(["http-request", "if-else", "transform", "log", "switch", "code", "respond"]),
    );
    expect(new Set(types).size).toBe(types.length);
  });

  // Proves node.config-required
  it.each([
    ["http-request", ["url"]],
    ["if-else", ["condition"]],
    ["transform", ["transform"]],
    ["switch", ["value", "cases"]],
    ["code", ["code"]],
    ["log", []],
    ["respond", []],
  ])("%s asks for %j and no more", async (type, required) => {
    expect((await nodeType(type))?.configSchema.required?.toSorted() ?? []).toEqual(required.toSorted());
  });

  // Proves beyond.node-types
  it("has a description, a schema, and an example that can be active for every type", async () => {
    for (const { type, name, description, configSchema, example } of await read()) {
      expect([name, description, configSchema.type].every(Boolean), type).toBe(true);
      expect(Object.keys(configSchema.properties), type).toEqual(expect.arrayContaining(["onError", "notes"]));
      const flow = await createFlow({ status: "active", nodes: [node("n", type, example)] });
      expect(flow.status, type).toBe("active");
    }
  });

  it("has the handles that edges may leave by", async () => {
    const labels = { true: ["yes", "then"], false: ["no", "else"] };
    expect((await nodeType("if-else"))?.handles).toEqual({ fixed: ["true", "false"], labels });
    expect((await nodeType("switch"))?.handles).toEqual({ fixed: ["default"], each: "cases" });
    expect((await nodeType("log"))?.handles).toEqual({ fixed: [] });
  });

  it("is sent again only to who has another one, and only to who may see it", async () => {
    const first = await get("/node-types");
    const tag = first.headers.get("etag") ?? "";
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    for (const named of [tag, tag.replace("W/", ""), `"x", ${tag}`, `${tag},"x"`, "*"]) {
      const again = await get("/node-types", { headers: { "if-none-match": named } });
      expect([named, again.status, again.headers.get("etag")]).toEqual([named, 304, tag]);
    }
    expect((await get("/node-types", { headers: { "if-none-match": 'W/"another"' } })).status).toBe(200);
    expect((await get("/node-types", { key: null, headers: { "if-none-match": tag } })).status).toBe(401);
  });
});
