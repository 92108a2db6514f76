import { createHash } from "node:crypto";
import { fileField } from "#lib/engine/flow.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import type { FormField } from "#lib/engine/wait-form.ts";
import type { PlainAnswer } from "#lib/http/envelope.ts";
import { formFont } from "./trigger-host.ts";

// The pages of trigger and resume URLs: forms and messages. They work without JavaScript.

/** A form for display. */
interface ShownForm {
  readonly title: string;
  readonly description: string | null;
  readonly fields: readonly FormField[];
  /** `action`: what the form sends as its action; null sends none. */
  readonly buttons: readonly {
    readonly label: string;
    readonly action: string | null;
    readonly fieldsOptional?: boolean | undefined;
  }[];
}

/** The submitted values, if they do not match the form. */
export interface Sent {
  readonly answers: unknown;
  readonly problems: Readonly<Record<string, unknown>>;
}

const style = `
@font-face { font-family: Geist; src: url(${formFont}) format("woff2"); font-weight: 100 900; font-display: swap }
:root { color-scheme: light dark; --text: light-dark(#14191b, #e8ecec); --muted: light-dark(#4f5a5f, #a7b1b4);
  --base: light-dark(#f9fafa, #0f1314); --raised: light-dark(#fff, #171c1e); --line: light-dark(#c7cfd0, #3a4448);
  --accent: light-dark(#0b6f7b, #4fb6c2); --contrast: light-dark(#fff, #06282c); --wrong: light-dark(#bf2620, #ff8d86) }
* { box-sizing: border-box }
body { margin: 0; padding: 24px 16px; background: var(--base); color: var(--text); font: 16px/1.5 Geist, system-ui, sans-serif }
main { max-width: 560px; margin: 8vh auto 0; padding: clamp(20px, 5vw, 40px); background: var(--raised); border: 1px solid var(--line);
  border-radius: 12px }
h1 { margin: 0 0 4px; font-size: 24px; line-height: 1.25; overflow-wrap: anywhere }
p { margin: 0 0 16px; color: var(--muted); white-space: pre-wrap; overflow-wrap: anywhere }
label { display: block; margin: 20px 0 6px; font-weight: 600 }
input[type=checkbox] { width: 20px; height: 20px; margin: 0 6px 0 0; vertical-align: -4px; accent-color: var(--accent) }
input:not([type=checkbox]), textarea, select { width: 100%; padding: 10px 12px; font: inherit; color: inherit;
  background: var(--base); border: 1px solid var(--line); border-radius: 6px }
textarea { min-height: 96px }
.wrong { margin: 4px 0 0; color: var(--wrong) }
.wrong::first-letter { text-transform: uppercase }
.needed { color: var(--muted); font-weight: 400 }
.actions { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 24px }
button { padding: 10px 20px; font: inherit; font-weight: 600; color: var(--contrast); background: var(--accent);
  border: 1px solid var(--accent); border-radius: 6px; cursor: pointer }
button + button { color: var(--text); background: transparent; border-color: var(--line) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }`;

const styleHash = createHash("sha256").update(style).digest("base64");

// The page loads only its font, runs no scripts, and submits only to its own URL.
const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "x-robots-tag": "noindex",
};

/** The form with its values and their problems. */
export function formPage(
  status: number,
  { title, description, fields, buttons }: ShownForm,
  sent: Sent,
  headers: Readonly<Record<string, string>>,
): PlainAnswer {
  const inputs = fields.map((field) => fieldHtml(field, sent)).join("");
  const actions = buttons.map(({ label, action, fieldsOptional = false }) => {
    const name = action === null ? "" : ` name="action" value="${escaped(action)}"`;
    return `<button type="submit"${name}${fieldsOptional ? " formnovalidate" : ""}>${escaped(label)}</button>`;
  });
  const { action } = sent.problems;
  const wrong = action === undefined ? "" : `<p class="wrong" role="alert">${escaped(String(action))}</p>`;
  return page(status, title, headers, [
    description === null ? "" : `<p>${escaped(description)}</p>`,
    `<form method="post"${fields.some(({ type }) => type === fileField) ? ' enctype="multipart/form-data"' : ""}>${inputs}${wrong}<div class="actions">${actions.join("")}</div></form>`,
  ]);
}

/** A title and a sentence. */
export function messagePage(
  status: number,
  [title, text]: readonly [title: string, text: string],
  headers: Readonly<Record<string, string>>,
): PlainAnswer {
  return page(status, title, headers, [`<p>${escaped(text)}</p>`]);
}

/** Redirects at once. A page, because `form-action 'self'` also applies to redirects after a form. */
export function leadingPage(url: string, headers: Readonly<Record<string, string>>): PlainAnswer {
  const link = `<p><a href="${escaped(url)}">Continue</a></p>`;
  return page(200, "One moment…", headers, [link], `<meta http-equiv="refresh" content="0;url=${escaped(url)}">`);
}

/** Browsers ask for a page; a program that does not gets JSON. A GET always gets a page. */
export function wantsPage(method: string, accept: string | null): boolean {
  return method === "GET" || method === "HEAD" || /\btext\/html\b/.test(accept ?? "");
}

function page(
  status: number,
  title: string,
  headers: Readonly<Record<string, string>>,
  content: readonly string[],
  head = "",
): PlainAnswer {
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><style>${style}</style>${head}</head>
<body><main><h1>${escaped(title)}</h1>${content.join("")}</main></body></html>`;
  return { status, headers: { ...pageHeaders, ...headers }, body };
}

function fieldHtml(field: FormField, { answers, problems }: Sent): string {
  const { name, label = name, type, required, options = [] } = field;
  const answered = isJsonObject(answers) && Object.hasOwn(answers, name) ? answers[name] : field.value;
  const value = answered === undefined || typeof answered === "object" ? "" : String(answered);
  const problem = Object.hasOwn(problems, name) ? problems[name] : undefined;
  const wrong =
    problem === undefined ? "" : `<p class="wrong" id="wrong-${name}" role="alert">${escaped(String(problem))}</p>`;
  const attributes = `name="${name}" id="${name}"${required ? " required" : ""}${wrong === "" ? "" : ` aria-invalid="true" aria-describedby="wrong-${name}"`}`;
  const needed = required ? ' <span class="needed">(required)</span>' : "";
  if (type === "checkbox") {
    const ticked = answered === true || answered === "on" ? " checked" : "";
    return `<label for="${name}"><input type="checkbox" ${attributes}${ticked}> ${escaped(label)}${needed}</label>${wrong}`;
  }
  return `<label for="${name}">${escaped(label)}${needed}</label>${controlHtml(type, attributes, value, options)}${wrong}`;
}

function controlHtml(type: FormField["type"], attributes: string, value: string, options: readonly string[]): string {
  if (type === "textarea") return `<textarea ${attributes}>\n${escaped(value)}</textarea>`;
  // A file input cannot be filled in.
  if (type === fileField) return `<input type="${type}" ${attributes}>`;
  if (type !== "select")
    return `<input type="${type}" ${attributes} value="${escaped(value)}"${type === "number" ? ' step="any"' : ""}>`;
  const choices = ["", ...options].map(
    (option) => `<option${option === value ? " selected" : ""}>${escaped(option)}</option>`,
  );
  return `<select ${attributes}>${choices.join("")}</select>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
