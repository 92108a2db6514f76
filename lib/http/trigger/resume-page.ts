import { createHash } from "node:crypto";
import { isJsonObject } from "#lib/engine/json.ts";
import type { FormField, WaitForm } from "#lib/engine/wait-form.ts";

/** A step as the page shows it; null for an invalid URL. `done`: this very call resumed it. */
interface Told {
  readonly state: "early" | "open" | "resumed" | "over" | "ended" | "done";
  readonly nodeName: string;
  readonly flowName: string;
  readonly form: WaitForm | null;
}

/** The submitted values, if they do not match the form. */
interface Sent {
  readonly answers: unknown;
  readonly problems: Readonly<Record<string, unknown>>;
}

const style = `
:root { color-scheme: light dark; --text: light-dark(#14191b, #e8ecec); --muted: light-dark(#4f5a5f, #a7b1b4);
  --base: light-dark(#f9fafa, #0f1314); --raised: light-dark(#fff, #171c1e); --line: light-dark(#c7cfd0, #3a4448);
  --accent: light-dark(#0b6f7b, #4fb6c2); --contrast: light-dark(#fff, #06282c); --wrong: light-dark(#bf2620, #ff8d86) }
* { box-sizing: border-box }
body { margin: 0; padding: 24px 16px; background: var(--base); color: var(--text); font: 15px/1.5 system-ui, sans-serif }
main { max-width: 480px; margin: 8vh auto 0; padding: 24px; background: var(--raised); border: 1px solid var(--line);
  border-radius: 8px }
h1 { margin: 0 0 4px; font-size: 20px; line-height: 1.3; overflow-wrap: anywhere }
p { margin: 0 0 16px; color: var(--muted); white-space: pre-wrap; overflow-wrap: anywhere }
label { display: block; margin: 16px 0 4px; font-weight: 600 }
input:not([type=checkbox]), textarea, select { width: 100%; padding: 8px; font: inherit; color: inherit;
  background: var(--base); border: 1px solid var(--line); border-radius: 6px }
textarea { min-height: 96px }
.wrong { margin: 4px 0 0; color: var(--wrong) }
.actions { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 24px }
button { padding: 8px 16px; font: inherit; font-weight: 600; color: var(--contrast); background: var(--accent);
  border: 1px solid var(--accent); border-radius: 6px; cursor: pointer }
button + button { color: var(--text); background: transparent; border-color: var(--line) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }`;

const styleHash = createHash("sha256").update(style).digest("base64");

// Nothing is loaded and nothing runs: the page is text, fields and buttons, and submits to its own URL only.
const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
};

/** The form, or a single button without one. Works without JavaScript. */
export function formPage(status: number, wait: Told, sent: Sent, headers: Record<string, string>): Response {
  const { form } = wait;
  const fields = form?.fields.map((field) => fieldHtml(field, sent)).join("") ?? "";
  const actions = form?.actions ?? [{ id: "", label: "Continue" }];
  const buttons = actions.map(({ id, label }) => {
    const name = id === "" ? "" : ` name="action" value="${escaped(id)}"`;
    return `<button type="submit"${name}>${escaped(label ?? id)}</button>`;
  });
  const { action } = sent.problems;
  const wrong = action === undefined ? "" : `<p class="wrong" role="alert">${escaped(String(action))}</p>`;
  const description = form?.description ?? `The flow "${wait.flowName}" waits here and goes on when you continue.`;
  return page(status, form?.title ?? wait.nodeName, headers, [
    `<p>${escaped(description)}</p>`,
    `<form method="post">${fields}${wrong}<div class="actions">${buttons.join("")}</div></form>`,
  ]);
}

const messages: Readonly<Record<Told["state"], readonly [title: string, text: string]>> = {
  done: ["Thank you", "The flow goes on. You can close this page."],
  resumed: ["Answered already", "This was answered before; the flow has gone on."],
  over: ["Too late", "The time limit has passed; the flow has gone on without an answer."],
  ended: ["Nothing waits any more", "The run of this flow has ended."],
  early: ["Not yet", "The flow has not come to this question yet. Load the page again in a moment."],
  open: ["Not done", "That could not be done. Load the page again."],
};

/** The message when there is nothing to answer. */
export function messagePage(status: number, wait: Told | null, headers: Record<string, string>): Response {
  const [title, text] =
    wait === null ? ["Not found", "There is nothing at this address: it may be incomplete."] : messages[wait.state];
  return page(status, title, headers, [`<p>${escaped(text)}</p>`]);
}

function page(status: number, title: string, headers: Record<string, string>, content: readonly string[]): Response {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><style>${style}</style></head>
<body><main><h1>${escaped(title)}</h1>${content.join("")}</main></body></html>`;
  return new Response(html, { status, headers: { ...pageHeaders, ...headers } });
}

function fieldHtml(field: FormField, { answers, problems }: Sent): string {
  const { name, label = name, type, required, options = [] } = field;
  const answered = isJsonObject(answers) && Object.hasOwn(answers, name) ? answers[name] : field.value;
  const value = answered === undefined || answered === null ? "" : String(answered);
  const problem = problems[name];
  const wrong =
    problem === undefined ? "" : `<p class="wrong" id="wrong-${name}" role="alert">${escaped(String(problem))}</p>`;
  const asked = `name="${name}" id="${name}"${required ? " required" : ""}${wrong === "" ? "" : ` aria-invalid="true" aria-describedby="wrong-${name}"`}`;
  if (type === "checkbox") {
    const ticked = answered === true || answered === "on" ? " checked" : "";
    return `<label for="${name}"><input type="checkbox" ${asked}${ticked}> ${escaped(label)}</label>${wrong}`;
  }
  return `<label for="${name}">${escaped(label)}</label>${controlHtml(type, asked, value, options)}${wrong}`;
}

function controlHtml(type: FormField["type"], asked: string, value: string, options: readonly string[]): string {
  if (type === "textarea") return `<textarea ${asked}>\n${escaped(value)}</textarea>`;
  if (type !== "select")
    return `<input type="${type}" ${asked} value="${escaped(value)}"${type === "number" ? ' step="any"' : ""}>`;
  const choices = ["", ...options].map(
    (option) => `<option${option === value ? " selected" : ""}>${escaped(option)}</option>`,
  );
  return `<select ${asked}>${choices.join("")}</select>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
