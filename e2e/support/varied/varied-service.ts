// The service that varied runs call: no two answers are the same, except for paths that name their answer.
import { type CountingServer, countingServer, type Received, type Reply } from "../counting-server.ts";

/** Closed when the test ends. */
export async function variedService(): Promise<CountingServer> {
  const tries = new Map<string, number>();
  return await countingServer((index, request) => {
    const count = (tries.get(request.url) ?? 0) + 1;
    tries.set(request.url, count);
    return answerTo(request, index, count);
  });
}

/** `count`: how often this path was requested, including now. */
function answerTo({ url, body }: Received, index: number, count: number): Reply {
  const { pathname, searchParams } = new URL(url, "http://service.test");
  const [, kind, detail = ""] = pathname.split("/");
  switch (kind) {
    case "status":
      return { status: Number(detail), body: { refused: index } };
    case "late":
      return count % 3 === 0 ? { body: { tries: count } } : { status: 503, headers: { "retry-after": "0" } };
    case "text":
      return { body: `text ${index}` };
    case "bad-json":
      return { headers: { "content-type": "application/json" }, body: '{"cut": ' };
    case "empty":
      return { status: 204, body: "" };
    case "hold":
      return "hold";
    case "reset":
      return { reset: true };
    case "odd":
      return body.includes('"b"') ? { status: 422, body: { sku: "b" } } : { body: { kept: index } };
    case "echo":
      return { body: { twice: numberIn(body) * 2 } };
    case "pages":
      return { body: { items: [index], page: Number(searchParams.get("page") ?? 1), more: Math.random() } };
    default:
      return { body: { id: index + 1, at: Date.now(), chance: Math.random(), text: "a\u0000b" } };
  }
}

function numberIn(body: string): number {
  return Number(/-?\d+/.exec(body)?.[0] ?? 0);
}
