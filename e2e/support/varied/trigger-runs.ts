// Runs that are not started by an API call.
import { call, get, patch, post, send } from "../api-client.ts";
import { eventually } from "../eventually.ts";
import { node, type TestFlow } from "../flows.ts";
import { called, type Environment, transform, type VariedRun, varied } from "./varied-run.ts";

/** The flow's newest run. */
const newest = async ({ id }: TestFlow): Promise<string> =>
  await eventually("a run begins", async () => {
    const { data } = await get<{ id: string }[]>(`/executions?flowId=${id}&limit=1`);
    return data[0]?.id;
  });
const activated = async (flow: TestFlow) => {
  const { status, text } = await patch(`/flows/${flow.id}`, { status: "active" });
  if (status !== 200) throw new Error(text);
};
const outside = (flow: TestFlow, method: string, path: string, body?: BodyInit, headers: Record<string, string> = {}) =>
  send(method, path, body, { base: flow.trigger.config.url, key: null, headers });

export const triggerRuns: Readonly<Record<string, (around: Environment) => VariedRun>> = {
  "a call of the trigger URL, with a query and headers": () =>
    varied(
      [
        transform("from", "[$trigger.query.page + 1, $trigger.headers['x-kind'] + '!', $trigger.method]"),
        node("say", "respond", { status: 201, body: "{{ $trigger.body.n + 1 }}" }),
      ],
      ["from -> say"],
      {
        start: async (flow) => {
          await activated(flow);
          const headers = { "content-type": "application/json", "x-kind": "new" };
          await outside(flow, "POST", "?page=3&tag=a&tag=b", JSON.stringify(called), headers);
          return await newest(flow);
        },
      },
    ),
  "a call that is no JSON": () =>
    varied([transform("text", "$trigger.body + '!'")], [], {
      start: async (flow) => {
        await activated(flow);
        await outside(flow, "POST", "", "just text", { "content-type": "text/plain" });
        return await newest(flow);
      },
    }),
  "a form": () =>
    varied([transform("n", "$trigger.body.count + 1 + ' ' + $trigger.body.news")], [], {
      trigger: {
        type: "form",
        config: {
          title: "Order",
          fields: [
            { name: "count", type: "number" },
            { name: "news", type: "checkbox" },
          ],
        },
      },
      start: async (flow) => {
        await activated(flow);
        const form = new URLSearchParams({ count: "4", news: "on" });
        await outside(flow, "POST", "", form, {
          accept: "text/html",
          "content-type": "application/x-www-form-urlencoded",
        });
        return await newest(flow);
      },
    }),
  "a row that is inserted": ({ table }) =>
    varied([transform("row", "$trigger.body.row.n + 1 + $trigger.body.change")], [], {
      trigger: { type: "table", config: { table, on: ["inserted"] } },
      start: async (flow) => {
        await activated(flow);
        const { data } = await get<{ id: string; name: string }[]>("/tables?limit=100");
        const { id: tableId } = data.find(({ name }) => name === table) ?? { id: "" };
        await post(`/tables/${tableId}/rows`, { n: 77, note: "inserted" });
        const id = await newest(flow);
        await patch(`/flows/${flow.id}`, { status: "inactive" });
        return id;
      },
    }),
  "a run that failed": ({ failing }) =>
    varied([transform("why", "$trigger.body.code + '!' + $trigger.body.nodeId.length")], [], {
      trigger: { type: "error", config: { flowIds: [failing] } },
      start: async (flow) => {
        await activated(flow);
        await post(`/flows/${failing}/execute`, { data: {}, async: false });
        const id = await newest(flow);
        await patch(`/flows/${flow.id}`, { status: "inactive" });
        return id;
      },
    }),
  "an item that a look finds": ({ service }) =>
    varied([transform("of", "$trigger.body.id * 0 + 4")], [], {
      trigger: {
        type: "poll",
        config: {
          everyMs: 600_000,
          fromNow: false,
          request: { url: service.url },
          items: "[$response.body]",
          key: "$item.id",
        },
      },
      start: async (flow) => {
        await activated(flow);
        await call("POST", `/flows/${flow.id}/poll`);
        const id = await newest(flow);
        await patch(`/flows/${flow.id}`, { status: "inactive" });
        return id;
      },
    }),
};
