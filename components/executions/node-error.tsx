import { fieldTitle, withFieldTitles } from "#lib/engine/issue-message.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import styles from "./node-error-view.module.css";

/** A node's failure; everything but the message is optional. */
interface ShownNodeError {
  readonly message: string;
  readonly code: string | null;
  /** Its title. */
  readonly field: string | null;
  readonly expression: string | null;
  /** 0-based offset in the expression. */
  readonly position: number | null;
  readonly hint: string | null;
}

/** A stored failure as displayed: with titles from the config's JSON Schema, also where an old message has names. */
export function readNodeError(error: unknown, configSchema: unknown): ShownNodeError | null {
  if (error === undefined || error === null) return null;
  if (!isJsonObject(error)) return { ...nothing, message: String(error) };
  const text = (name: string) => (typeof error[name] === "string" ? error[name] : null);
  const position = typeof error.position === "number" ? error.position : null;
  const message = withFieldTitles(text("message") ?? "The node failed without an error message", configSchema);
  const path = text("field");
  const field = path === null ? null : fieldTitle(configSchema, path);
  const hint = text("hint") ?? hintFor(message, field, text("expression"));
  return { message, code: text("code"), field, expression: text("expression"), position, hint };
}

const nothing = { code: null, field: null, expression: null, position: null, hint: null } as const;

/** The usual fix. */
function hintFor(message: string, field: string | null, expression: string | null): string | null {
  if (/of (undefined|null)|is not defined|undefined/.test(message) && expression !== null) {
    return "Check the expression against the input: a name may be misspelled, or the value may be missing in this run. With ?., a missing value gives undefined instead of an error.";
  }
  if (expression !== null) return "Fix the expression in the flow, then run again from this node.";
  if (field !== null) return `Fix ${field} in the flow, then run again from this node.`;
  return null;
}

interface MessageParts {
  readonly before: string;
  readonly code: string;
  readonly after: string;
}

/** Splits a message around the expression that it quotes, without backticks; null if it quotes none. */
export function splitMessage(message: string, expression: string | null): MessageParts | null {
  if (!expression) return null;
  const quotes = [`\`${expression}\``, shortenedQuote(message, expression)];
  const quote = quotes.find((text) => text !== null && message.includes(text));
  if (!quote) return null;
  const start = message.indexOf(quote);
  return { before: message.slice(0, start), code: quote.slice(1, -1), after: message.slice(start + quote.length) };
}

/** Only the start of a long expression is quoted. */
function shortenedQuote(message: string, expression: string): string | null {
  const start = message.indexOf("`");
  const end = message.indexOf("…`", start);
  if (start < 0 || end <= start + 1) return null;
  return expression.startsWith(message.slice(start + 1, end)) ? message.slice(start, end + 2) : null;
}

/** The line of an expression at a position, with a caret below it. */
export function markPosition(expression: string, position: number): string {
  const before = expression.slice(0, position);
  const lineStart = before.lastIndexOf("\n") + 1;
  const lineEnd = expression.indexOf("\n", position);
  const end = lineEnd < 0 ? expression.length : lineEnd;
  const marker = `${" ".repeat(position - lineStart)}^`;
  return [expression.slice(0, end), marker, expression.slice(end + 1)].filter((part) => part !== "").join("\n");
}

/** A node's failure: what went wrong, where in its config, and how to fix it. */
export function NodeErrorView({ error, nodeName }: { readonly error: ShownNodeError; readonly nodeName: string }) {
  const { message, code, field, expression, position, hint } = error;
  return (
    <div className={styles.error}>
      <p className={styles.message}>
        <FailureMessage message={message} expression={expression} />
      </p>
      <dl className={styles.facts}>
        <dt>Node</dt>
        <dd>{nodeName}</dd>
        {field !== null && (
          <>
            <dt>Field</dt>
            <dd>{field}</dd>
          </>
        )}
        {code !== null && (
          <>
            <dt>Error code</dt>
            <dd className="mono">{code}</dd>
          </>
        )}
        {expression !== null && (
          <>
            <dt>Expression</dt>
            <dd>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
              <pre className={styles.expression} data-marked={position !== null || undefined} tabIndex={0}>
                {position === null ? expression : markPosition(expression, position)}
              </pre>
            </dd>
          </>
        )}
      </dl>
      {hint !== null && <p className={styles.hint}>{hint}</p>}
    </div>
  );
}

interface FailureMessageProps {
  readonly message: string;
  readonly expression: string | null;
}

/** Why a node failed, with the expression that the message quotes set apart as code. */
export function FailureMessage({ message, expression }: FailureMessageProps) {
  const parts = splitMessage(message, expression);
  if (parts === null) return message;
  return (
    <>
      {parts.before}
      <code className="mono">{parts.code}</code>
      {parts.after}
    </>
  );
}
