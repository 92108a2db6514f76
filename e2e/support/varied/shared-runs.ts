// Outside effects besides requests: tables, files, state shared across runs, random values; and conversions.
import { post, put } from "../api-client.ts";
import { node, type TestFlow } from "../flows.ts";
import { called, type Environment, transform, type VariedRun, varied } from "./varied-run.ts";

const executed = async (flow: TestFlow, options: object = {}) => {
  const { data } = await post<{ executionId: string }>(`/flows/${flow.id}/execute`, {
    data: called,
    async: false,
    ...options,
  });
  return data.executionId;
};

export const sharedRuns: Readonly<Record<string, (around: Environment) => VariedRun>> = {
  "rows that are written, counted and found": ({ table }) =>
    varied(
      [
        node("put", "table", { action: "upsert", table, key: "n", row: { n: "{{ $trigger.body.n }}", note: "new" } }),
        node("count", "table", { action: "count", table, where: { n: 21 } }),
        node("find", "table", { table, where: { n: "{{ $trigger.body.n }}" }, limit: 7 }),
        transform("note", "$node.output.row.note + ' ' + ($nodes.count.output.count + 1)"),
      ],
      ["put -> count", "count -> find", "find -> note"],
    ),
  "a table that is not there": () =>
    varied(
      [
        node("find", "table", { table: "no such", onError: "continue" }),
        transform("why", "$node.output.error.code + '!'"),
      ],
      ["find -> why"],
    ),
  "rows in a loop": ({ table }) =>
    varied([
      node("each", "loop", {
        items: "{{ [31, 32] }}",
        concurrency: 2,
        body: {
          nodes: [
            node("put", "table", { action: "upsert", table, key: "n", row: { n: "{{ $item }}", note: "x" } }),
            transform("is", "$node.output.row.n + 1"),
          ],
          edges: [{ source: "put", target: "is" }],
        },
      }),
    ]),
  "items in batches": () =>
    varied(
      [
        node("b", "batch", { items: "$trigger.body.items", size: 2 }),
        transform("n", "$node.output.batches.length + 1"),
      ],
      ["b -> n"],
    ),
  "items that were there before are left out": () =>
    varied(
      [
        node("b", "batch", { items: "$trigger.body.items", by: "price", dedupe: { key: "sku", window: 600_000 } }),
        transform("n", "[$node.output.fresh.length + 1, $node.output.seen.length]"),
      ],
      ["b -> n"],
      {
        start: async (flow) => {
          await executed(flow, { data: { items: [{ sku: "b", price: 9 }] } });
          return await executed(flow);
        },
      },
    ),
  "a limit that refuses, caught": () =>
    varied(
      [
        node("one", "rate-limit", { key: "refusing", limit: 1, perMs: 600_000, onLimit: "error" }),
        node("two", "rate-limit", { key: "refusing", limit: 1, perMs: 600_000, onLimit: "error" }),
        transform("why", "$node.output.error.code + '!'"),
      ],
      ["one -> two", "two:error -> why"],
    ),
  "random values and hashes": ({ credential }) =>
    varied(
      [
        node("id", "crypto", { action: "uuid" }),
        node("bytes", "crypto", { action: "random", length: 8 }),
        node("hash", "crypto", { action: "hash", value: "of {{ $trigger.body.n }}" }),
        node("sign", "crypto", { action: "hmac", value: "{{ $nodes.hash.output }}", credential }),
        transform("all", "[$nodes.id.output, $nodes.bytes.output.length + 1, $nodes.sign.output]"),
      ],
      ["id -> bytes", "bytes -> hash", "hash -> sign", "sign -> all"],
    ),
  "files that are written, read and listed": () =>
    varied(
      [
        node("write", "file", { action: "write", path: "varied/a.txt", content: "n is {{ $trigger.body.n }}" }),
        transform("text", "$file.text($nodes.write.output) + '!'"),
        node("list", "file", { action: "list", path: "varied/", limit: 5 }),
        node("sign", "file", { action: "sign", path: "varied/a.txt" }),
        transform("n", "[$nodes.list.output.files.length + 1, $nodes.sign.output.url]"),
      ],
      ["write -> text", "text -> list", "list -> sign", "sign -> n"],
    ),
  "a conversion, and one that fails": () =>
    varied(
      [
        node("csv", "convert", { from: "json", to: "csv", value: "{{ $trigger.body.items }}" }),
        transform("lines", "$node.output.split('\\n').length + 1"),
        node("bad", "convert", { from: "yaml", to: "json", value: "a: [", onError: "continue" }),
        transform("why", "$node.output.error.code + '!'"),
      ],
      ["csv -> lines", "bad -> why"],
    ),
  "a run of the working copy": () =>
    varied([transform("is", "$trigger.body.n + 1")], [], {
      start: async (flow) => {
        const trigger = { type: "manual", config: {} };
        const nodes = [{ ...transform("is", "$trigger.body.n + 1"), name: "Renamed" }];
        await put(`/flows/${flow.id}/draft`, { definition: { trigger, nodes } });
        return await executed(flow, { version: "draft" });
      },
    }),
  "a run that was retried": ({ service }) =>
    varied(
      [
        node("call", "http-request", { method: "POST", url: service.url, body: { n: 4 } }),
        transform("breaks", "$trigger.body.missing.x"),
      ],
      ["call -> breaks"],
      {
        start: async (flow) => {
          const { data } = await post<{ executionId: string }>(`/executions/${await executed(flow)}/retry`, {});
          return data.executionId;
        },
      },
    ),
  "a retry with other data": ({ service }) =>
    varied(
      [
        node("call", "http-request", { method: "POST", url: service.url, body: { n: "{{ $trigger.body.n + 1 }}" } }),
        transform("id", "$node.output.body.id + 1"),
      ],
      ["call -> id"],
      {
        start: async (flow) => {
          const id = await executed(flow);
          const { data } = await post<{ executionId: string }>(`/executions/${id}/retry`, { overrideData: { n: 5 } });
          return data.executionId;
        },
      },
    ),
};
