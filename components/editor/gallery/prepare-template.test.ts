import { expect, test } from "vitest";
import type { Api } from "#components/api/use-api.ts";
import { connectTemplate, missingTables } from "./template-page.tsx";

const flow = {
  name: "T",
  variables: { channel: "#a", days: 3 },
  trigger: { type: "webhook", config: { credential: "callers" } },
  nodes: [
    { id: "a", config: { credential: "slack", body: { text: "slack" } } },
    {
      id: "b",
      config: {
        credential: "mail",
        tools: [{ credential: "slack" }],
        body: { nodes: [{ config: { credential: "slack" } }] },
      },
    },
  ],
  tests: [{ expect: { nodes: { a: { request: { credential: "slack", headers: { a: "slack" } } } } } }],
};

test("credentials are named as the workspace has them, wherever a config names one", () => {
  const made = connectTemplate(flow, { credentials: { slack: "ourSlack" }, variables: {} });
  expect(made.nodes).toEqual([
    { id: "a", config: { credential: "ourSlack", body: { text: "slack" } } },
    {
      id: "b",
      config: {
        credential: "mail",
        tools: [{ credential: "ourSlack" }],
        body: { nodes: [{ config: { credential: "ourSlack" } }] },
      },
    },
  ]);
  expect(made.trigger).toEqual(flow.trigger);
  expect(JSON.stringify(made.tests)).toContain('"credential":"ourSlack","headers":{"a":"slack"}');
});

test("variables have what was entered", () => {
  const made = connectTemplate(flow, { credentials: {}, variables: { channel: "#ours" } });
  expect(made.variables).toEqual({ channel: "#ours", days: 3 });
});

/** A workspace with these tables, two per page. */
function workspace(names: readonly string[]) {
  const requests: unknown[] = [];
  const callList = async (_: string, { query }: { query: { page: number } }) => {
    requests.push(query.page);
    const items = names.slice(query.page * 2 - 2, query.page * 2).map((name) => ({ name }));
    return { items, pagination: { hasNext: names.length > query.page * 2 } };
  };
  return { api: { callList } as unknown as Pick<Api, "callList">, asked: requests };
}

test("tables that are there are not made a second time, whichever page they are on", async () => {
  const tables = [{ name: "orders" }, { name: "leads" }];
  const { api } = workspace(["a", "b", "c", "orders"]);
  expect(await missingTables(api, tables)).toEqual([{ name: "leads" }]);
  expect(await missingTables(workspace([]).api, tables)).toEqual(tables);
});

test("nothing is asked without a table, nor after the last is found", async () => {
  const none = workspace(["a"]);
  expect([await missingTables(none.api, []), none.asked]).toEqual([[], []]);
  const first = workspace(["leads", "b", "c"]);
  expect([await missingTables(first.api, [{ name: "leads" }]), first.asked]).toEqual([[], [1]]);
});
