// Requests: retried, refused, cut off, paginated, with secrets.
import { node } from "../flows.ts";
import { type Environment, send, transform, type VariedRun, varied } from "./varied-run.ts";

export const callRuns: Readonly<Record<string, (around: Environment) => VariedRun>> = {
  "a call that succeeds at the third attempt": ({ service }) =>
    varied(
      [
        send("late", `${service.url}/late/1`, { retry: { maxRetries: 4, retryDelay: 0 } }),
        transform("tries", "$node.output.body.tries + 1"),
      ],
      ["late -> tries"],
    ),
  "calls that fail after all attempts, caught in two ways": ({ service }) =>
    varied(
      [
        send("edge", `${service.url}/status/503`, { retry: { maxRetries: 2, retryDelay: 0 } }),
        transform("why", "$node.output.error.code + '!'"),
        send("on", `${service.url}/status/429`, { retry: { maxRetries: 1, retryDelay: 0 }, onError: "continue" }),
        transform("also", "$node.output.error.code + '?'"),
      ],
      ["edge:error -> why", "on -> also"],
    ),
  "a refused call that fails the run": ({ service }) => varied([send("gone", `${service.url}/status/404`)]),
  "an error status that is an answer": ({ service }) =>
    varied(
      [send("gone", `${service.url}/status/410`, { failOnStatus: false }), transform("is", "$node.output.status + 1")],
      ["gone -> is"],
    ),
  "nobody listens": () =>
    varied(
      [send("nobody", "http://127.0.0.1:9/x"), transform("why", "$node.output.error.code + '!'")],
      ["nobody:error -> why"],
    ),
  "no answer in time": ({ service }) =>
    varied(
      [send("hold", `${service.url}/hold`, { timeout: 100 }), transform("why", "$node.output.error.code + '!'")],
      ["hold:error -> why"],
    ),
  "a connection that is cut, tried again": ({ service }) =>
    varied([
      send("cut", `${service.url}/reset`, { retry: { maxRetries: 1, retryDelay: 0 }, onError: "continue" }),
      transform("why", "$trigger.body.n + 1"),
    ]),
  "answers that are text, nothing, and no JSON": ({ service }) =>
    varied(
      [
        send("text", `${service.url}/text`),
        transform("long", "$node.output.body.length * 1 + 2"),
        send("empty", `${service.url}/empty`),
        transform("is", "$node.output.status + 4"),
        send("bad", `${service.url}/bad-json`, { onError: "continue" }),
        transform("type", "typeof $node.output + '!'"),
      ],
      ["text -> long", "empty -> is", "bad -> type"],
    ),
  pages: ({ service }) =>
    varied(
      [
        node("all", "http-request", {
          url: `${service.url}/pages`,
          pagination: { page: 1, items: "$response.body.items", pagesMax: 3 },
        }),
        transform("count", "$node.output.body.length + 1"),
      ],
      ["all -> count"],
    ),
  "a secret in a header, and one in an expression": ({ service, credential }) =>
    varied(
      [
        node("get", "http-request", { url: `${service.url}/who`, query: { page: 3 }, credential }),
        send("post", service.url, { headers: { "x-key": `k {{ $credentials.${credential}.token }}` } }),
        transform("id", "$node.output.body.id + 1"),
      ],
      ["get -> post", "post -> id"],
    ),
  "bodies of other kinds": ({ service }) =>
    varied(
      [
        send("form", service.url, { bodyType: "form", body: { a: "b {{ $trigger.body.n }}", c: 5 } }),
        send("text", service.url, { body: "as it is: {{ $node.output.body.id }}" }),
        send("put", service.url, { method: "PUT", body: [1, { two: 2 }] }),
        send("bare", service.url, { method: "DELETE", body: null, query: { tag: ["x", "y"] } }),
      ],
      ["form -> text", "text -> put", "put -> bare"],
    ),
  "calls of which each needs the one before": ({ service }) =>
    varied(
      [
        send("a", service.url),
        send("b", service.url, { body: { of: "{{ $nodes.a.output.body.id + 1 }}" } }),
        send("c", `${service.url}/{{ $nodes.b.output.body.chance }}`, { body: "{{ $node.output.body }}" }),
        transform("all", "({ a: $nodes.a.output.body.chance, c: $node.output.body.at, n: 3 })"),
      ],
      ["a -> b", "b -> c", "c -> all"],
    ),
  "a file that a call answers with": ({ service }) =>
    varied(
      [
        node("get", "http-request", { url: `${service.url}/text`, responseType: "file" }),
        transform("text", "$file.text($nodes.get.output.body) + '!'"),
        transform("size", "$nodes.get.output.body.size + 1"),
      ],
      ["get -> text", "text -> size"],
    ),
};
