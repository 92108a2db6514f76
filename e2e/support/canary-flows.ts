// Flows that use secrets in every way that a flow can: send, fail with, log and return them.
type Node = { id: string; type: string; config: object };

/** Names of the credentials that hold them. */
export interface CanaryNames {
  readonly secret: string;
  readonly basic: string;
  readonly token: string;
  readonly header: string;
  readonly custom: string;
}

/** `echo` is a server that answers with what it received, `/fail` with 400. */
export function canaryFlows(names: CanaryNames, echo: string): Node[][] {
  const read = `$credentials.${names.secret}`;
  const custom = `$credentials.${names.custom}.one`;
  const call = (config: object) => ({
    id: "call",
    type: "http-request",
    config: { method: "POST", url: `${echo}/x`, ...config },
  });
  const code = (text: string) => ({ id: "code", type: "code", config: { code: text } });
  const log = (config: object) => ({ id: "log", type: "log", config });
  const transform = (expression: string, id = "t") => ({ id, type: "transform", config: { transform: expression } });
  const there = encodeURIComponent(`${echo}/there`);
  return [
    [call({ credential: names.basic }), transform("$node.output", "again")],
    [call({ credential: names.token, url: `${echo}/fail` })],
    [call({ credential: names.header, url: `${echo}/fail` })],
    [call({ credential: names.header, url: `${echo}/to?${there}` })],
    [call({ credential: names.basic, url: `${echo}/to?${there}` })],
    [call({ url: `${echo}/x?key={{ encodeURIComponent(${read}) }}`, headers: {} })],
    [call({ query: { key: `{{ ${read} }}` }, url: `${echo}/fail` })],
    [call({ headers: { "X-Custom": `{{ ${custom} }}` } })],
    [call({ body: { deep: [{ key: `{{ ${read} }}`, custom: `{{ ${custom} }}` }] } })],
    [call({ bodyType: "form", body: { key: `{{ ${read} }}` } })],
    [call({ credential: names.basic, body: { key: `{{ ${read} }}` }, responseType: "file" })],
    [call({ url: `${echo}/x/{{ ${custom} }}`, credential: names.token, responseType: "file" })],
    [call({ url: `http://{{ ${read} }}/` })],
    [call({ url: `https://${new URL(echo).host}/`, body: `{{ ${read} }}` })],
    [call({ method: `{{ ${read} }}` })],
    [call({ timeout: `{{ ${read} }}` })],
    [log({ message: `{{ ${read} }}`, data: { all: "{{ $credentials }}" } })],
    [log({ message: "{{ JSON.stringify($credentials) }}", level: "warning" })],
    [code(`console.log(${read}); return { [${read}]: [${read}.length, ${read}] };`)],
    [code(`throw new Error("no: " + ${read});`)],
    [code("return JSON.stringify(JSON.stringify($credentials));")],
    [code(`return Array.from(${custom}, (c) => c.charCodeAt(0).toString(16).padStart(2, "0")).join("");`)],
    [code(`throw { name: ${read}, message: encodeURIComponent(${read}), stack: ${custom} };`)],
    [transform(`nothing[${read}]`)],
    [transform(`({}).x[${read}]`)],
    [transform(`JSON.parse("[" + ${read})`)],
    [transform(`null["x".repeat(50) + ${read}]`)],
    [code(`console.log("x".repeat(8180) + ${read}); throw new Error("y".repeat(2036) + ${read});`)],
    [{ id: "s", type: "switch", config: { value: `{{ ${read} }}`, cases: [{ id: "a", equals: `{{ ${read} }}` }] } }],
    [
      {
        id: "l",
        type: "loop",
        config: { items: `[${read}, ${custom}]`, body: { nodes: [transform("$item")], edges: [] } },
      },
    ],
    [{ id: "e", type: "stop", config: { status: "failed", message: `{{ ${read} }}` } }],
    [{ id: "d", type: "delay", config: { until: `{{ ${read} }}` } }],
    [{ id: "f", type: "sub-flow", config: { flowId: `{{ ${read} }}`, data: { key: `{{ ${custom} }}` } } }],
    [{ id: "r", type: "respond", config: { headers: { "x-key": `{{ ${read} }}` }, body: `{{ ${read} }}` } }],
  ];
}
