import { validateHeaderName, validateHeaderValue } from "node:http";
import { headerRefusal } from "#lib/engine/answer-headers.ts";
import type { Answer, JsonText } from "#lib/engine/outcome.ts";
import type { PlainAnswer } from "#lib/http/envelope.ts";

/** A flow's output is untrusted: it is never served as a page of this origin, whatever its type. */
const inert = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
};

export const openToAllOrigins = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "X-Execution-Id, X-Request-Id",
};

const usual = { "content-type": "application/json; charset=utf-8", ...inert, ...openToAllOrigins };

/** The answer of a completed run: its output as JSON, unless a `respond` node sets status, headers or type. */
export function completedAnswer(output: JsonText, answer: Answer | null, headers: Record<string, string>): PlainAnswer {
  if (answer === null) return { status: 200, headers: { ...usual, ...headers }, body: output.json };
  const { status } = answer;
  const all = { ...usual, ...headers, ...settable(answer) };
  const isJson = /^application\/([\w.-]+\+)?json/i.test(all["content-type"]);
  const isBare = !isJson && typeof output.value === "string";
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  return { status, headers: all, body: hasBody ? (isBare ? String(output.value) : output.json) : null };
}

/** The headers that a flow may set and HTTP can carry. */
function settable({ status, headers }: Answer): Record<string, string> {
  const all = Object.entries(headers).filter(
    ([name, value]) => headerRefusal(name, value, status) === null && isValid(name, value.trim()),
  );
  return Object.fromEntries(all.map(([name, value]) => [name.toLowerCase(), value.trim()]));
}

function isValid(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
