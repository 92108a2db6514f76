import type { CredentialType } from "#lib/contract/credential-types.ts";
import { credentialKinds } from "./credential-kinds.ts";

/** What was typed: of a type with fields of its own, by their names; of `custom`, name by name. */
export interface CredentialValues {
  readonly known: Readonly<Record<string, string>>;
  readonly own: readonly { readonly name: string; readonly value: string }[];
}

export const noValues: CredentialValues = { known: {}, own: [{ name: "", value: "" }] };

export function hasValues({ known, own }: CredentialValues): boolean {
  return Object.values(known).some((value) => value !== "") || own.some(({ value }) => value !== "");
}

/** The `data` that the API is sent; what is optional and empty is left out. */
export function dataOf(type: CredentialType, { known, own }: CredentialValues): Record<string, string | number> {
  const { fields } = credentialKinds[type];
  if (fields === null) {
    const named = own.filter(({ name, value }) => name !== "" || value !== "");
    return Object.fromEntries(named.map(({ name, value }) => [name.trim(), value]));
  }
  const given = fields.flatMap(({ name, optional = false, isNumber = false }) => {
    const value = known[name] ?? "";
    if (optional && value === "") return [];
    return [[name, isNumber ? Number(value) : value] as const];
  });
  return Object.fromEntries(given);
}

/** One host a line, or between commas. */
export function hostsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((host) => host !== "");
}
