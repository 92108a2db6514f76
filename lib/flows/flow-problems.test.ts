import { expect, test } from "vitest";
import { flowEdges, flowNodes } from "#lib/engine/flow.ts";
import { adviceOn } from "./advice/node-advice.ts";
import { listedProblems, requireSoundGraph } from "./flow-problems.ts";
import { hasTooManyExpressions, planNodes } from "./plan-nodes.ts";

const planned = (nodes: readonly object[], edges: readonly object[] = []) =>
  planNodes("workspace", { nodes: flowNodes.parse(nodes), edges: flowEdges.parse(edges) });
const advise = async (nodes: readonly object[], edges: readonly object[] = []) =>
  adviceOn(await planned(nodes, edges)).map((advice) => [advice.code, advice.nodeId, advice.path, advice.message]);
const log = (id: string, message: string) => ({ id, type: "log", config: { message } });
const unknown = (nodeId: string, path: string, message: string) => ["UNKNOWN_NODE", nodeId, path, message];

test("a reference to a node that does not exist is reported once per field", async () => {
  const found = await advise([log("say", "{{ $nodes.gone.output }} and {{ $nodes['gone'].output.id }}")]);
  expect(found).toEqual([unknown("say", "nodes[0].config.message", 'reads "gone", which is not a node of this flow')]);
});

test("disabled nodes and nodes in a disabled loop have no problems", async () => {
  const inside = { nodes: [log("in", "{{ $nodes.gone }}")] };
  const nodes = [
    { ...log("say", "{{ $nodes.gone.output }}"), disabled: true },
    { id: "each", type: "loop", config: { items: "{{ [] }}", body: inside }, disabled: true },
    log("on", "{{ $nodes.gone }}"),
  ];
  expect((await advise(nodes)).map(([, id]) => id)).toEqual(["on"]);
});

test("a reference to a node that is not an ancestor is reported; one to an ancestor at any distance is not", async () => {
  const nodes = [log("a", "x"), log("b", "{{ $nodes.a.output }}{{ $nodes.c.output }}"), log("c", "{{ $nodes.a }}")];
  const edges = [
    { source: "a", target: "b" },
    { source: "b", target: "c" },
  ];
  expect(await advise(nodes, edges)).toEqual([
    unknown("b", "nodes[1].config.message", 'reads "c", which does not run before this node'),
  ]);
  expect(await advise([log("a", "{{ $nodes.a.output }}")])).toHaveLength(1);
});

test("expressions, conditions and code are read; text that only looks like a reference is not", async () => {
  const found = await advise([
    { id: "if", type: "if-else", config: { condition: "$nodes['x'].output.ok" } },
    { id: "shape", type: "transform", config: { transform: { deep: ["{{ $nodes.x.output }}"] } } },
    { id: "run", type: "code", config: { code: "const a = $nodes.x;\nreturn a;" } },
    log("text", "$nodes.x {{ 'reads $nodes.x' }}"),
    log("broken", "{{ $nodes.x. }}"),
    log("any", "{{ $nodes[$vars.id].output }}"),
  ]);
  expect(found.map(([, id, path]) => [id, path])).toEqual([
    ["if", "nodes[0].config.condition"],
    ["shape", "nodes[1].config.transform.deep[0]"],
    ["run", "nodes[2].config.code"],
  ]);
});

test("nodes in a loop's body can read earlier nodes in the body and before the loop, but not the loop or later nodes", async () => {
  const inside = [log("in", "{{ $nodes.first }}{{ $nodes.each }}{{ $nodes.last }}"), log("next", "{{ $nodes.in }}")];
  const body = { nodes: inside, edges: [{ source: "in", target: "next" }] };
  const nodes = [
    log("first", "x"),
    { id: "each", type: "loop", config: { items: "[]", body } },
    log("last", "{{ $nodes.in.output }}"),
  ];
  const edges = [
    { source: "first", target: "each" },
    { source: "each", target: "last" },
  ];
  const path = "nodes[1].config.body.nodes[0].config.message";
  expect(await advise(nodes, edges)).toEqual([
    unknown("in", path, 'reads "each", which does not run before this node'),
    unknown("in", path, 'reads "last", which does not run before this node'),
    unknown("last", "nodes[2].config.message", 'reads "in", which is in a loop: only nodes of that loop can read it'),
  ]);
});

test("a thousand nodes in a row are checked with one look-up each", async () => {
  const count = 1_000;
  const nodes = Array.from({ length: count }, (_, n) => log(`n${n}`, `{{ $nodes.n${Math.max(0, n - 500)}.output }}`));
  const edges = nodes.slice(1).map((_, n) => ({ source: `n${n}`, target: `n${n + 1}` }));
  let lookups = 0;
  const all = (await planned(nodes, edges)).map((node) => ({
    ...node,
    canRead: (id: string) => {
      lookups += 1;
      return node.canRead(id);
    },
  }));
  expect(adviceOn(all).map(({ nodeId }) => nodeId)).toEqual(["n0"]);
  expect(lookups).toBe(count);
});

test("unknown settings are reported with the nearest known name, in bodies too", async () => {
  const call = { url: "http://a.test", headers: { "x-any": "1" }, query: { any: 1 }, retry: { maxAttempts: 3 } };
  const inner = { id: "in", type: "delay", config: { millis: 5 } };
  const form = { fields: [{ name: "a" }, { name: "b", lable: "B" }] };
  const found = await advise([
    { id: "call", type: "http-request", config: { ...call, zzz: 1, notes: "n", onError: "fail" } },
    { id: "each", type: "loop", config: { items: "[]", body: { nodes: [inner], edges: [] } } },
    { id: "ask", type: "wait", config: { form } },
    { id: "odd", type: "of another server", config: { any: 1 } },
    { id: "shape", type: "transform", config: { transform: { any: { thing: 1 } } } },
  ]);
  expect(found.map(([code, , path]) => [code, path])).toEqual([
    ["UNKNOWN_SETTING", "nodes[0].config.retry.maxAttempts"],
    ["UNKNOWN_SETTING", "nodes[0].config.zzz"],
    ["UNKNOWN_SETTING", "nodes[1].config.body.nodes[0].config.millis"],
    ["UNKNOWN_SETTING", "nodes[2].config.form.fields[1].lable"],
  ]);
  expect(found[0]?.[3]).toBe("is not a setting of this node and has no effect; did you mean maxRetries?");
  expect(found[1]?.[3]).toMatch(/known settings: method, url, /);
  expect(found[3]?.[3]).toContain("did you mean label?");
});

test("of very many unknown names, twenty are reported, quickly", async () => {
  const config = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`unknown_${n}`, n]));
  expect(await advise([{ id: "a", type: "log", config: { message: "x", ...config } }])).toHaveLength(20);
});

test("headers that are not sent are reported; an unknown status may be a redirect's", async () => {
  const respond = (config: object) => [{ id: "say", type: "respond", config }];
  const headers = { "WWW-Authenticate": "Basic", "content-type": "text/plain", location: "/next", "x-own": "1" };
  const refused = (path: string, message: string) => [
    "REFUSED_HEADER",
    "say",
    path,
    `${message}: the response is sent without it`,
  ];
  const basic = refused("nodes[0].config.headers.WWW-Authenticate", "cannot be set by a flow");
  const location = refused("nodes[0].config.headers.location", "is sent with a status from 300 to 399 only");
  expect(await advise(respond({ headers }))).toEqual([basic, location]);
  expect(await advise(respond({ status: 302, headers }))).toEqual([basic]);
  expect(await advise(respond({ status: "{{ $node.output.status }}", headers }))).toEqual([basic]);
});

test("nodes are read only until there are more expressions than a flow may have", async () => {
  const of = (count: number) => Array.from({ length: count }, (_, n) => log(`n${n}`, `${n}${"{{$a}}".repeat(1_000)}`));
  const atLimit = await planned(of(10));
  expect([atLimit.length, hasTooManyExpressions(atLimit)]).toEqual([10, false]);
  const overLimit = await planned(of(140));
  expect([overLimit.length, hasTooManyExpressions(overLimit)]).toEqual([11, true]);
  const inOne = await planned([
    { id: "one", type: "respond", config: { body: of(140).map(({ config }) => config) } },
    ...of(1),
  ]);
  expect([inOne.length, hasTooManyExpressions(inOne), inOne[0]?.plan.slots.length]).toEqual([1, true, 11]);
});

test("of many problems, a thousand are listed, with the number of others", () => {
  const many = Array.from({ length: 1_500 }, (_, n) => ({ path: `nodes[${n}]`, message: "is wrong" }));
  expect(listedProblems(many.slice(0, 1_000))).toHaveLength(1_000);
  expect(listedProblems(many)).toHaveLength(1_001);
  expect(listedProblems(many).at(-1)?.message).toBe("and 500 more problems, which are not listed");
  const edges = flowEdges.parse(Array.from({ length: 1_500 }, () => ({ source: "x", target: "y" })));
  const trigger = { type: "manual", config: {} } as const;
  try {
    requireSoundGraph({ trigger, nodes: [], edges, variables: {} });
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ message: "The flow is not valid: 2000 more problems are not listed" });
    expect(Object.keys((error as { details: object }).details)).toHaveLength(1_000);
  }
});
