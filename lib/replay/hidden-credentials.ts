import { isJsonObject } from "#lib/engine/json.ts";
import type { ConfigPlan } from "#lib/expressions/expressions.ts";

/** Replaces every secret, as in a stored run. */
export const secretMask = "•••";

/** The credentials that a node's expressions name, with every value masked. */
export function hiddenCredentials(plan: ConfigPlan): Record<string, unknown> {
  const hidden: Record<string, unknown> = {};
  for (const { expression } of [...plan.expressions, ...plan.code]) {
    for (const name of expression.credentialNames ?? []) hidden[name] ??= secretMask;
    for (const [, plain, quoted, field] of expression.source.matchAll(credentialField)) {
      const name = plain ?? quoted ?? "";
      const known = hidden[name];
      hidden[name] = { ...(isJsonObject(known) ? known : {}), [field ?? ""]: secretMask };
    }
  }
  return hidden;
}

/** `$credentials.shop.token`: a credential whose fields are read is an object, not a string. */
const credentialField = /\$credentials(?:\.(\w+)|\[["']([^"']+)["']\])\??\.(?!length\b)([a-zA-Z_]\w*)\b(?!\s*\()/g;
