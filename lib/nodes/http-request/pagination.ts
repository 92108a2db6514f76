import { z } from "zod";
import { jsonBytesInTurns } from "#lib/json/json-bytes.ts";
import { type NodeContext, NodeFailure } from "../define.ts";
import { addToQuery, asText } from "./request.ts";

const bytesMax = 10_485_760;

const overAnswer = (title: string, description: string) =>
  z.string("must be text").min(1, "must not be empty").max(2_000, "must have at most 2000 characters").meta({
    title,
    description,
    // Evaluated over each answer, not over the run.
    format: "plain",
  });
const parameter = z
  .string("must be text")
  .min(1, "must not be empty")
  .max(100, "must have at most 100 characters")
  .optional();

export const pagination = z
  .object({
    next: overAnswer("Next", "An expression over $response for the next page's URL; no value ends.").optional(),
    cursor: overAnswer("Cursor", "An expression over $response for the next page's cursor; no value ends.").optional(),
    page: z.int("must be a whole number").min(0, "must be at least 0").optional().meta({
      title: "Page",
      description: "The first page's number: each request has the next one. An empty page ends.",
    }),
    offset: z.int("must be a whole number").min(1, "must be at least 1").optional().meta({
      title: "Offset",
      description: "The size of a page: each request starts where the previous page ended. An empty page ends.",
    }),
    parameter: parameter.meta({
      title: "Parameter",
      description: "The name of its parameter or field. Default: cursor, page or offset.",
    }),
    in: z.enum(["query", "body"], "must be query or body").optional().meta({
      title: "In",
      description: "Where the parameter goes: into the query, or into a body that is a JSON object. Default: query.",
    }),
    items: overAnswer("Items", "An expression over $response for a page's list. Default: $response.body.").optional(),
    pagesMax: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(100, "must be at most 100")
      .optional()
      .default(10)
      .meta({ title: "Maximum pages", description: "Up to 100. Default: 10." }),
    itemsMax: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(10_000, "must be at most 10000")
      .optional()
      .default(1_000)
      .meta({ title: "Maximum items", description: "Up to 10,000. Default: 1,000." }),
  })
  .refine((given) => methodsOf(given).length === 1, "must have one of next, cursor, page and offset")
  .refine((given) => given.next === undefined || given.in !== "body", "a next page's URL has no place in the body");

export type Pagination = z.output<typeof pagination>;
const methods = ["next", "cursor", "page", "offset"] as const;

function methodsOf(given: object): (typeof methods)[number][] {
  return methods.filter((method) => (given as Record<string, unknown>)[method] !== undefined);
}

/** A page's answer, as `$response`. */
export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** All pages' items. `isComplete`: there was nothing more; otherwise a limit ended it. */
export interface Pages extends Response {
  readonly body: unknown[];
  readonly pages: number;
  readonly isComplete: boolean;
}

/** A field of the request's body. */
export type BodyField = readonly [name: string, value: string | number];

/** Requests page after page and collects their items. Throws NodeFailure. */
export async function requestPages(
  first: URL,
  options: Pagination,
  request: (url: URL, field?: BodyField) => Promise<Response>,
  context: Pick<NodeContext, "evaluateOver">,
): Promise<Pages> {
  const [method = "page"] = methodsOf(options);
  const name = options.parameter ?? method;
  const items: unknown[] = [];
  const isInBody = options.in === "body";
  const requestWith = (value: string | number) =>
    isInBody ? request(first, [name, value]) : request(withParameter(first, name, String(value)));
  let [url, position] = [first, method === "page" ? (options.page ?? 1) : 0];
  let left = bytesMax;
  let before: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const isCounted = method === "page" || method === "offset";
    const isAtCursor = method === "cursor" && before !== undefined;
    const answer =
      isCounted || isAtCursor ? await requestWith(isAtCursor ? (before ?? "") : position) : await request(url);
    const found = await context.evaluateOver(options.items ?? "$response.body", { $response: answer });
    if (!Array.isArray(found)) {
      throw new NodeFailure("NO_ITEMS", "pagination.items: a page has no list there", { field: "pagination.items" });
    }
    left -= await jsonBytesInTurns(found, left);
    if (left < 0) throw new NodeFailure("OUTPUT_TOO_LARGE", `The pages have more than ${bytesMax} bytes together`);
    for (const item of found.slice(0, options.itemsMax - items.length)) items.push(item);
    const result = { ...answer, body: items, pages };
    if (isCounted && found.length === 0) return { ...result, isComplete: true };
    const following = isCounted ? "" : asText(await context.evaluateOver(options[method] ?? "", { $response: answer }));
    if (!isCounted && (following === undefined || following === "" || following === before)) {
      return { ...result, isComplete: true };
    }
    if (pages === options.pagesMax || items.length === options.itemsMax) return { ...result, isComplete: false };
    position += method === "offset" ? (options.offset ?? 0) : 1;
    if (method === "next") url = nextOf(following ?? "", url);
    before = following;
  }
}

/** Refuses another origin, which would receive this one's headers and credential. */
function nextOf(text: string, from: URL): URL {
  const url = URL.canParse(text, from) ? new URL(text, from) : undefined;
  if (url?.origin === from.origin) return url;
  const message = url === undefined ? "is not a URL" : "leads to another origin";
  throw new NodeFailure("BAD_NEXT", `pagination.next: the next page's URL ${message}`, {
    field: "pagination.next",
  });
}

function withParameter(from: URL, name: string, value: string): URL {
  const url = new URL(from);
  addToQuery(url, name, value);
  return url;
}
