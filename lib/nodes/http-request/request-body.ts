import { asText } from "./request-url.ts";

export const bodyTypes = ["json", "form", "text"] as const;
export type BodyType = (typeof bodyTypes)[number];

const contentTypes: Readonly<Record<BodyType, string>> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  text: "text/plain; charset=utf-8",
};

export interface RequestBody {
  readonly text: string;
  /** Sent unless the flow sets its own. */
  readonly contentType: string;
}

/** The body as it is sent; undefined for none. A string goes as it is, whatever its type. */
export function requestBody(body: unknown, type: BodyType | undefined): RequestBody | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string") return { text: body, contentType: contentTypes[type ?? "text"] };
  const contentType = contentTypes[type ?? "json"];
  if (type === "form" && typeof body === "object") return { text: formText(body), contentType };
  return { text: JSON.stringify(body), contentType };
}

function formText(body: object): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      const text = asText(item);
      if (text !== undefined) form.append(name, text);
    }
  }
  return form.toString();
}
