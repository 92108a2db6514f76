import type { FlowAdvice } from "#lib/contract/flows/checks.ts";
import { formatPath, isJsonObject } from "#lib/engine/json.ts";
import type { PlannedNode } from "#lib/flows/plan-nodes.ts";
import { type AdvisedFlow, adviceOf } from "./advised-flow.ts";

/** The prefixes of well-known services' secrets. */
const prefixes = [
  ...["sk_live_", "rk_live_", "sk_test_", "sk-ant-", "sk-proj-", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-"],
  ...["xox[abp]-", "npm_", "whsec_", String.raw`SG\.`],
];
const known = [
  new RegExp(String.raw`\b(?:${prefixes.join("|")})[\w.-]{16,}`),
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bAIza[\w-]{35}/,
  /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/,
];

/** Names of fields that hold secrets. */
const secretNames = [
  /^(?:proxy-)?authorization$/i,
  /api[-_]?key$/i,
  /^x-.{0,40}(?:key|token)$/i,
  // Not page, sync or CSRF tokens.
  /^(?!(?:next|prev|previous)?[-_]?(?:page|continuation|cursor|sync|csrf|xsrf)[-_]?token$).*token$/i,
  /(?:secret|password)$/i,
];

const lengthMin = 20;
/** Bits per character: repetitions and plain numbers have less than 3.5, random text of that length more. */
const entropyMin = 3.5;
const listedMax = 5;
/** A longer text is not a secret; a shorter one is checked whole. */
const textCharactersMax = 20_000;
const levelsMax = 50;

/** Secrets in a config, where everybody who can see the flow can read them. */
export function secretsInConfigs(flow: AdvisedFlow): FlowAdvice[] {
  return flow.planned.flatMap((planned) =>
    secretPaths(planned).map((field) => {
      const message = "looks like a secret, and everybody who can see the flow can read it: store it as a credential";
      return adviceOf(planned, "SECRET_IN_CONFIG", "warning", message, { field });
    }),
  );
}

function secretPaths({ node }: PlannedNode): string[] {
  const found: string[] = [];
  const visit = (value: unknown, path: readonly (string | number)[]) => {
    if (found.length >= listedMax || path.length > levelsMax) return;
    if (typeof value === "string") {
      if (isSecret(value, String(path.at(-1) ?? ""))) found.push(formatPath([...path]));
    } else if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, [...path, index]);
    else if (isJsonObject(value)) for (const [key, item] of Object.entries(value)) visit(item, [...path, key]);
  };
  // The nodes of a body are checked separately.
  for (const [key, value] of Object.entries(node.config)) if (key !== "notes" && key !== "body") visit(value, [key]);
  if (!isGraph(node.config.body)) visit(node.config.body, ["body"]);
  return found;
}

function isGraph(body: unknown): boolean {
  return isJsonObject(body) && Array.isArray(body.nodes);
}

function isSecret(text: string, name: string): boolean {
  if (text.length > textCharactersMax) return false;
  if (known.some((pattern) => pattern.test(text))) return true;
  if (!secretNames.some((pattern) => pattern.test(name)) || text.includes("{{")) return false;
  const value = text.replace(/^(?:Bearer|Basic|Token)\s+/i, "");
  const isMixed = /\d/.test(value) && /[a-z]/i.test(value) && !/\s/.test(value);
  return isMixed && value.length >= lengthMin && entropyOf(value) >= entropyMin;
}

/** Bits per character, by character frequency. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
