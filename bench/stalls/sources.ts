// Code and expressions that take long to parse.
import { callApi, makeFlow } from "../millrace.ts";
import { apiCall, type StallCase, send } from "../stalls.ts";

const nested = (variables: number, blocks: number) => {
  const perBlock = variables / blocks;
  const declared = (block: number) =>
    Array.from({ length: perBlock }, (_, index) => `var v${block}_${index}=0;`).join("");
  return Array.from({ length: blocks }, (_, block) => `{${declared(block)}`).join("") + "}".repeat(blocks);
};
const padded = (code: string, characters: number) => `${code}//${"x".repeat(characters - code.length - 2)}`;
const fill = (text: string, characters: number) => text.repeat(Math.floor(characters / text.length));
const code = (id: string, source: string) => ({ id, type: "code", config: { code: source } });
const transform = (id: string, source: string) => ({ id, type: "transform", config: { transform: source } });
const many = <Node>(count: number, node: (id: string) => Node) =>
  Array.from({ length: count }, (_, index) => node(`n${index}`));

const ordinary = "const total = items.reduce((sum, { price, count }) => sum + price * count, 0); // of all\n";

/** Sources by what makes them hostile: each fits into one body. */
const sources: Readonly<Record<string, readonly object[]>> = {
  "0.93 MB of code, 6,000 var in 1,500 blocks": many(4, (id) => code(id, padded(nested(6_000, 1_500), 232_000))),
  "248 KB of /a/;": [code("a", fill("/a/;", 248_000))],
  "1,000 expressions after 1 MB of text": [
    { id: "a", type: "respond", config: { body: `${"x".repeat(990_000)}${"{{$vars.a}}".repeat(1_000)}` } },
  ],
  "1 MB of ordinary code": many(4, (id) => code(id, fill(`{${ordinary}}`, 250_000))),
  "1 MB of a;": many(4, (id) => code(id, fill("a;", 250_000))),
  "140,000 expressions": many(140, (id) => ({ id, type: "respond", config: { body: "{{$a}}".repeat(1_000) } })),
  "1,000 expressions of 1,000 characters": [
    { id: "a", type: "respond", config: { body: `{{[${fill("1,", 990)}1]}}`.repeat(1_000) } },
  ],
  "60,000 brackets": [transform("a", `${"[".repeat(30_000)}${"]".repeat(30_000)}`)],
  "20,000 labels": [code("a", `${many(20_000, (id) => `${id}:`).join("")};`)],
  "1,000 nodes of a little code each": many(1_000, (id) => code(id, fill(ordinary, 800))),
  "200,000 settings that nothing reads": [
    { id: "a", type: "respond", config: { body: Object.fromEntries(many(60_000, (id) => [id, "{{a"])) } },
  ],
};

const flowOf = (nodes: readonly object[]) => ({ name: "Hurts", status: "draft", nodes, edges: [] });

const onServer = (path: string, title: string, body: (nodes: readonly object[]) => object, atOnce: number) =>
  Object.entries(sources).map(
    ([name, nodes]): StallCase => ({
      name: `${title}: ${name}`,
      prepare: async (server) => () => send(`${server.url}/api/v1${path}`, apiCall(server, body(nodes)), atOnce),
    }),
  );

const trigger = { type: "webhook", config: { method: "POST" } };

export const sourceStalls: readonly StallCase[] = [
  ...onServer("/flows/check", "check", (nodes) => ({ trigger, nodes, edges: [] }), 3),
  ...onServer("/flows", "create active", (nodes) => ({ ...flowOf(nodes), trigger, status: "active" }), 1),
  ...onServer("/flows", "create draft", (nodes) => ({ ...flowOf(nodes), trigger }), 1),
  {
    name: "preview: 64 KB of a;",
    prepare: async (server) => () =>
      send(
        `${server.url}/api/v1/expressions/evaluate`,
        apiCall(server, { expression: `${fill("a;", 60_000)}return 1` }),
        3,
      ),
  },
  {
    name: "run: 1 MB of ordinary code, first run of each version",
    prepare: async (server) => {
      const nodes = many(4, (id) => code(id, `const items = [];${fill(`{${ordinary}}`, 250_000)}return 1`));
      const flow = await makeFlow(server, nodes, []).catch(() => null);
      if (flow === null) return async () => undefined;
      const { id, url } = flow;
      return async () => {
        for (let version = 0; version < 2; version += 1) {
          await callApi(server, "PATCH", `/flows/${id}`, { variables: { version } });
          await send(url, apiCall(server, {}));
        }
      };
    },
  },
];
