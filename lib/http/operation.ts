import { type Actor, requireScope } from "#lib/auth/actor.ts";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import { jsonInTurns } from "#lib/json/write-json.ts";
import type { Given } from "#lib/mcp/port.ts";
import { answerSlots } from "./answer-slots.ts";
import type { JsonChunks } from "./json-stream.ts";
import { parseInput } from "./parse-input.ts";
import {
  type Caller,
  isReply,
  isStreamed,
  type Page,
  type Perform,
  paginationOf,
  separated,
  type TextPage,
} from "./route.ts";

/** An operation of the contract with its use case, callable without HTTP. */
export interface Operation {
  readonly endpoint: Endpoint;
  readonly perform: (input: never) => Promise<unknown>;
}

export function operation<E extends Endpoint>(endpoint: E, perform: Perform<E>): Operation {
  return { endpoint, perform };
}

/** An answer's payload as JSON; for a list, `{items, pagination}`. */
interface AnswerText {
  readonly text: string;
  /** True if the text was truncated. */
  readonly isCut: boolean;
}

/**
 * Calls an operation as its route does: scope, path, query, body and answer are checked against the contract. Keeps at
 * most `charactersMax` of the answer. Throws what the use case throws, FORBIDDEN and VALIDATION_ERROR.
 */
export async function callOperation(
  { endpoint, perform }: Operation,
  given: Given,
  by: { readonly actor: Actor; readonly caller: Caller },
  charactersMax: number,
): Promise<AnswerText> {
  if (endpoint.scope !== null) requireScope(by.actor, endpoint.scope);
  const query = parseInput(endpoint.query, given.query ?? {}, "query");
  const header = (name: string) => (name === "if-match" ? (given.ifMatch ?? null) : by.caller.header(name));
  const input = {
    actor: by.actor,
    query,
    body: parseInput(endpoint.body, given.body ?? {}, "body"),
    params: parseInput(endpoint.params, given.params ?? {}, "path"),
    caller: { ...by.caller, header },
    gone: new AbortController().signal,
  };
  const call = async () => await textOf(endpoint, await perform(input as never), query, charactersMax);
  return endpoint.method === "GET" ? await answerSlots().during(by.actor.workspaceId, call) : await call();
}

async function textOf(endpoint: Endpoint, result: unknown, query: unknown, charactersMax: number): Promise<AnswerText> {
  if (isStreamed(result)) return await collect(result.chunks, "", "", charactersMax);
  const payload = isReply(result) ? result.payload : result;
  if (endpoint.shape === "empty") return { text: "null", isCut: false };
  if (endpoint.shape !== "list") return shortened(await jsonInTurns(endpoint.answer.parse(payload)), charactersMax);
  const page = payload as Page<unknown> | TextPage;
  const after = `],"pagination":${JSON.stringify(paginationOf(query, page))}}`;
  if ("texts" in page) return await collect(separated(page.texts), '{"items":[', after, charactersMax);
  const items = page.items.map((item) => JSON.stringify(endpoint.answer.parse(item)));
  return shortened(`{"items":[${items.join(",")}${after}`, charactersMax);
}

async function collect(chunks: JsonChunks, before: string, after: string, charactersMax: number): Promise<AnswerText> {
  let text = before;
  for await (const chunk of chunks) {
    text += chunk;
    if (text.length > charactersMax) return shortened(text, charactersMax);
  }
  return shortened(text + after, charactersMax);
}

function shortened(text: string, charactersMax: number): AnswerText {
  const isCut = text.length > charactersMax;
  return { text: isCut ? text.slice(0, charactersMax) : text, isCut };
}
