import { isJsonObject } from "#lib/engine/json.ts";

/** What is told of a node's failure; all but the message may be missing. */
export interface ShownNodeError {
  readonly message: string;
  readonly code: string | null;
  readonly field: string | null;
  readonly expression: string | null;
  /** 0-based offset in the expression. */
  readonly position: number | null;
  readonly hint: string | null;
}

export function readNodeError(error: unknown): ShownNodeError | null {
  if (error === undefined || error === null) return null;
  if (!isJsonObject(error)) return { ...nothing, message: String(error) };
  const text = (name: string) => (typeof error[name] === "string" ? error[name] : null);
  const position = typeof error.position === "number" ? error.position : null;
  const message = text("message") ?? "The node failed without saying why";
  const hint = text("hint") ?? hintFor(message, text("field"), text("expression"));
  return { message, code: text("code"), field: text("field"), expression: text("expression"), position, hint };
}

const nothing = { code: null, field: null, expression: null, position: null, hint: null } as const;

/** What usually mends it. */
function hintFor(message: string, field: string | null, expression: string | null): string | null {
  if (/of (undefined|null)|is not defined|undefined/.test(message) && expression !== null) {
    return "Compare the expression with what came in: a name may be misspelt, or the value is missing in this run. With ?. a missing value gives undefined instead of an error.";
  }
  if (expression !== null) return "Mend the expression in the flow, then run again from this node.";
  if (field !== null) return `Mend the field ${field} in the flow, then run again from this node.`;
  return null;
}

export interface MessageParts {
  readonly before: string;
  readonly code: string;
  readonly after: string;
}

/** A message around the expression that it quotes, without the backticks it is quoted with; null when it quotes none. */
export function splitMessage(message: string, expression: string | null): MessageParts | null {
  if (!expression) return null;
  const quotes = [`\`${expression}\``, shortenedQuote(message, expression)];
  const quote = quotes.find((text) => text !== null && message.includes(text));
  if (!quote) return null;
  const start = message.indexOf(quote);
  return { before: message.slice(0, start), code: quote.slice(1, -1), after: message.slice(start + quote.length) };
}

/** A long expression is quoted by its beginning. */
function shortenedQuote(message: string, expression: string): string | null {
  const start = message.indexOf("`");
  const end = message.indexOf("…`", start);
  if (start < 0 || end <= start + 1) return null;
  return expression.startsWith(message.slice(start + 1, end)) ? message.slice(start, end + 2) : null;
}

/** The line of an expression that a position is on, with a caret below it. */
export function markPosition(expression: string, position: number): string {
  const before = expression.slice(0, position);
  const lineStart = before.lastIndexOf("\n") + 1;
  const lineEnd = expression.indexOf("\n", position);
  const end = lineEnd < 0 ? expression.length : lineEnd;
  const marker = `${" ".repeat(position - lineStart)}^`;
  return [expression.slice(0, end), marker, expression.slice(end + 1)].filter((part) => part !== "").join("\n");
}
