import { describe, expect, test } from "vitest";
import { api, credential, flow } from "../support/secret-calls.ts";

const usesOf = async (id: string) => (await api("GET", `/credentials/${id}/uses`)).body.data;

describe("the uses of a credential are listed", () => {
  test("node by node, whether chosen, mentioned or computed", async () => {
    const { id, name } = await credential("bearer", { token: "t0ken-value" });
    const used = await flow([
      { id: "chosen", type: "http-request", config: { url: "https://example.com", credential: name } },
      { id: "mentioned", type: "log", config: { message: `{{ $credentials.${name}.token }}` } },
      { id: "workedOut", type: "log", config: { message: "{{ $credentials[$trigger.body.which] }}" } },
      { id: "not", type: "log", config: { message: name } },
    ]);
    const found = (await usesOf(id)).find(({ flowId }: { flowId: string }) => flowId === used.id);
    expect(found).toMatchObject({ flowStatus: "draft", byTrigger: false });
    expect(found.nodes.map((node: { id: string }) => node.id)).toEqual(["chosen", "mentioned", "workedOut"]);
  });

  test("with the trigger that authenticates its callers by it", async () => {
    const { id, name } = await credential("bearer", { token: "t0ken-value" });
    const used = await flow([], { authentication: "bearer", credential: name });
    expect(await usesOf(id)).toContainEqual(expect.objectContaining({ flowId: used.id, byTrigger: true, nodes: [] }));
  });

  test("for the current version only", async () => {
    const { id, name } = await credential("secret", { value: "s3cret-value" });
    const used = await flow([{ id: "a", type: "log", config: { message: `{{ $credentials.${name} }}` } }]);
    expect((await usesOf(id)).map(({ flowId }: { flowId: string }) => flowId)).toContain(used.id);
    await api("PATCH", `/flows/${used.id}`, { body: { nodes: [{ id: "a", type: "log", config: { message: "no" } }] } });
    expect((await usesOf(id)).map(({ flowId }: { flowId: string }) => flowId)).not.toContain(used.id);
  });

  test("in working copies, beside what runs", async () => {
    const { id, name } = await credential("bearer", { token: "t0ken-value" });
    const used = await flow([{ id: "a", type: "log", config: { message: "no" } }]);
    const found = async () => (await usesOf(id)).find(({ flowId }: { flowId: string }) => flowId === used.id);
    const write = (message: string) => {
      const nodes = [{ id: "b", type: "log", name: "Say", config: { message } }];
      const trigger = { type: "webhook", config: { authentication: "bearer", credential: name } };
      return api("PUT", `/flows/${used.id}/draft`, { body: { definition: { trigger, nodes } } });
    };
    expect((await write(`{{ $credentials.${name}.token }}`)).status).toBe(200);
    const draft = { byTrigger: true, nodes: [{ id: "b", name: "Say" }] };
    expect(await found()).toMatchObject({ byTrigger: false, nodes: [], draft });
    await api("DELETE", `/flows/${used.id}/draft`);
    expect(await found()).toBeUndefined();
    const nodes = [{ id: "a", type: "log", config: { message: `{{ $credentials.${name}.token }}` } }];
    await api("PATCH", `/flows/${used.id}`, { body: { nodes } });
    const copied = await api("PUT", `/flows/${used.id}/draft`, {
      body: { definition: { trigger: { type: "webhook" }, nodes: [] } },
    });
    expect(copied.status).toBe(200);
    expect(await found()).toMatchObject({ nodes: [{ id: "a" }] });
    expect(await found()).not.toHaveProperty("draft");
  });

  test("for existing credentials only", async () => {
    expect((await api("GET", "/credentials/cred_01kadcd7z1q6b1294trayee50h/uses")).status).toBe(404);
    expect((await api("GET", "/credentials/nothing/uses")).status).toBe(404);
  });
});
