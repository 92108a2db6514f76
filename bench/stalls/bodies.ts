// Bodies that anyone may send to a trigger URL, and answers of flows.
import type { RunningServer } from "../../e2e/support/server.ts";
import { makeFlow } from "../millrace.ts";
import { apiCall, type StallCase, send } from "../stalls.ts";

const bytes = 1_048_000;
const fill = (text: string, characters: number) => text.repeat(Math.floor(characters / text.length));
const keys = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(",")}}`;

/** JSON by what makes it hostile, each about as large as a body may be. */
const bodies: Readonly<Record<string, string>> = {
  "90,000 keys": keys(90_000),
  "350,000 empty lists": `[${fill("[],", bytes - 10)}[]]`,
  "250,000 objects": `[${fill("{},", bytes - 10)}{}]`,
  "500,000 numbers": `[${fill("1,", bytes - 10)}1]`,
  "100,000 short texts": `[${fill('"ab\\u0000",', bytes - 20)}""]`,
  "lists 60 deep, over and over": `[${fill(`${"[".repeat(60)}${"]".repeat(60)},`, bytes - 200)}[]]`,
  "500,000 levels": "[".repeat(bytes / 2) + "]".repeat(bytes / 2),
  "one text of 1 MiB": JSON.stringify("\u0001".repeat(bytes / 6 - 10)),
};

const calls = [{ id: "out", type: "respond", config: { body: { answer: "{{ $trigger.body }}" } } }];
const small = [{ id: "out", type: "respond", config: { body: 1 } }];

const fourTimes = [
  {
    id: "out",
    type: "transform",
    config: { transform: "[$trigger.body, $trigger.body, $trigger.body, $trigger.body]" },
  },
];

const posted = (body: string, type = "application/json"): RequestInit => ({
  method: "POST",
  headers: { "content-type": type },
  body,
});

const onTrigger = (title: string, nodes: readonly object[], headers: RequestInit["headers"] = {}) =>
  Object.entries(bodies).map(
    ([name, body]): StallCase => ({
      name: `${title}: ${name}`,
      prepare: async (server: RunningServer) => {
        const { url } = await makeFlow(server, nodes, []);
        const call = posted(body);
        return () => send(url, { ...call, headers: { ...call.headers, ...headers } }, 2);
      },
    }),
  );

export const bodyStalls: readonly StallCase[] = [
  ...onTrigger("call", small),
  ...onTrigger("call, answered at once", small, { prefer: "respond-async" }),
  ...onTrigger("call, body answered", calls),
  ...Object.entries(bodies).map(
    ([name, body]): StallCase => ({
      name: `execute: ${name}`,
      prepare: async (server) => {
        const { id } = await makeFlow(server, small, []);
        const { headers } = apiCall(server, {});
        const init = { method: "POST", headers: headers ?? {}, body: `{"data":{"a":${body}}}` };
        return () => send(`${server.url}/api/v1/flows/${id}/execute`, init, 2);
      },
    }),
  ),
  ...Object.entries(bodies).flatMap(([name, body]): StallCase[] =>
    ["", "/nodes/out", "?includeNodeOutputs=true"].map((path) => ({
      name: `read${path}: four times ${name}`,
      prepare: async (server) => {
        const { url } = await makeFlow(server, fourTimes, []);
        const answer = await fetch(url, posted(body));
        await answer.text();
        const { headers = {} } = apiCall(server, {});
        const id = answer.headers.get("x-execution-id");
        return () => send(`${server.url}/api/v1/executions/${id}${path}`, { headers }, 2);
      },
    })),
  ),
  ...Object.entries(bodies).map(
    ([name, body]): StallCase => ({
      name: `list of 20 runs: ${name}`,
      prepare: async (server) => {
        const { id, url } = await makeFlow(server, small, []);
        for (let run = 0; run < 20; run += 1) await (await fetch(url, posted(body))).text();
        const { headers = {} } = apiCall(server, {});
        return () => send(`${server.url}/api/v1/executions?flowId=${id}`, { headers }, 2);
      },
    }),
  ),
  {
    name: "call: 100,000 form fields",
    prepare: async (server) => {
      const { url } = await makeFlow(server, small, []);
      const form = Array.from({ length: 100_000 }, (_, index) => `k${index}=1`).join("&");
      return () => send(url, posted(form, "application/x-www-form-urlencoded"), 2);
    },
  },
];
