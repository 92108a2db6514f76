import { type SecretForm, secretForms } from "#lib/executions/secrets/mask-secret-forms.ts";

/**
 * Masks secrets one form after the other, longest first: slow, but obviously correct. The finder is tested against it.
 */
export function maskSlowly(secrets: readonly string[], text: string): string {
  const forms = secrets.flatMap(secretForms).sort((a, b) => b.text.length - a.text.length);
  return forms.reduce(withoutForm, text);
}

function withoutForm(text: string, form: SecretForm): string {
  let result = "";
  let done = 0;
  for (let at = text.indexOf(form.text); at >= 0; at = text.indexOf(form.text, done)) {
    let start = at;
    let end = at + form.text.length;
    if (form.sharesFirst && start > done && isBase64(text[start - 1])) start--;
    if (form.sharesLast && isBase64(text[end])) end++;
    while (form.padded && text[end] === "=") end++;
    result += `${text.slice(done, start)}•••`;
    done = end;
  }
  return result + text.slice(done);
}

function isBase64(character: string | undefined): boolean {
  return character !== undefined && /[A-Za-z0-9+/_-]/.test(character);
}
