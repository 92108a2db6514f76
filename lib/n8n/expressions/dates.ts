import type { Tree } from "#lib/expressions/expressions.ts";
import { NotConverted } from "../source.ts";
import { literalText, type Step } from "./tree.ts";

/** Milliseconds in the units of fixed length. */
const unitMs: Readonly<Record<string, number>> = {
  millisecond: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};

/** Properties of a date, as calls of a JavaScript Date. */
const parts: Readonly<Record<string, (date: string) => string>> = {
  year: (date) => `${date}.getUTCFullYear()`,
  month: (date) => `(${date}.getUTCMonth() + 1)`,
  day: (date) => `${date}.getUTCDate()`,
  hour: (date) => `${date}.getUTCHours()`,
  minute: (date) => `${date}.getUTCMinutes()`,
  second: (date) => `${date}.getUTCSeconds()`,
  weekday: (date) => `(${date}.getUTCDay() || 7)`,
  ts: (date) => `${date}.getTime()`,
};

const months = "January February March April May June July August September October November December".split(" ");
const days = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const shortened = (names: readonly string[]) => JSON.stringify(names.map((name) => name.slice(0, 3)));

/** The code for each letter sequence of a format; `at` is the time as ISO 8601 text. */
const tokens: Readonly<Record<string, string>> = {
  yyyy: "at.slice(0, 4)",
  yy: "at.slice(2, 4)",
  MM: "at.slice(5, 7)",
  M: "Number(at.slice(5, 7))",
  dd: "at.slice(8, 10)",
  d: "Number(at.slice(8, 10))",
  HH: "at.slice(11, 13)",
  H: "Number(at.slice(11, 13))",
  hh: 'String(at.slice(11, 13) % 12 || 12).padStart(2, "0")',
  h: "(at.slice(11, 13) % 12 || 12)",
  a: '(at.slice(11, 13) < 12 ? "AM" : "PM")',
  mm: "at.slice(14, 16)",
  ss: "at.slice(17, 19)",
  SSS: "at.slice(20, 23)",
  MMMM: `${JSON.stringify(months)}[at.slice(5, 7) - 1]`,
  MMM: `${shortened(months)}[at.slice(5, 7) - 1]`,
  EEEE: `${JSON.stringify(days)}[new Date(at).getUTCDay()]`,
  EEE: `${shortened(days)}[new Date(at).getUTCDay()]`,
};
const sameTokens: Readonly<Record<string, string>> = { LLLL: "MMMM", LLL: "MMM", LL: "MM", cccc: "EEEE", ccc: "EEE" };

/** Formats that are part of ISO 8601. */
const stretches: Readonly<Record<string, string>> = {
  "yyyy-MM-dd": ".slice(0, 10)",
  "yyyy-MM": ".slice(0, 7)",
  yyyy: ".slice(0, 4)",
  "HH:mm": ".slice(11, 16)",
  "HH:mm:ss": ".slice(11, 19)",
};

/** Code that formats a date by a Luxon format. Throws NotConverted. */
export function formatted(date: string, format: string): string {
  const iso = `${date}.toISOString()`;
  if (stretches[format] !== undefined && Object.hasOwn(stretches, format)) return iso + stretches[format];
  const texts: string[] = [];
  // Letters stand for parts of the time; everything else, and quoted text, is literal.
  for (const [piece, quoted] of format.slice(0, 200).matchAll(/'([^']*)'|([A-Za-z])\2*|[^A-Za-z']+/g)) {
    const token = Object.hasOwn(sameTokens, piece) ? (sameTokens[piece] ?? piece) : piece;
    if (quoted !== undefined) texts.push(JSON.stringify(quoted));
    else if (!/^[A-Za-z]/.test(piece)) texts.push(JSON.stringify(piece));
    else if (Object.hasOwn(tokens, token)) texts.push(tokens[token] ?? "");
    else throw new NotConverted(`the date format “${format.slice(0, 60)}”`);
  }
  return `((at) => [${texts.join(", ")}].join(""))(${iso})`;
}

/** Code that shifts a date by some units; earlier for `sign` "-". Throws NotConverted. */
export function moved(date: string, sign: "+" | "-", amount: string, unit: string): string {
  const singular = unit.toLowerCase().replace(/s$/, "");
  if (Object.hasOwn(unitMs, singular)) return `new Date(${date}.getTime() ${sign} (${amount}) * ${unitMs[singular]})`;
  const count = new Map([
    ["month", 1],
    ["quarter", 3],
    ["year", 12],
  ]).get(singular);
  if (count === undefined) throw new NotConverted(`the unit of time “${unit.slice(0, 40)}”`);
  // At most the month's last day, as in n8n: JavaScript counts on into the next month.
  return `((from, months) => { const to = new Date(from); to.setUTCMonth(to.getUTCMonth() + months); return to.getUTCDate() === from.getUTCDate() ? to : new Date(to.setUTCDate(0)); })(new Date(${date}), ${sign}(${amount}) * ${count})`;
}

/** The start of the day, month or year. Throws NotConverted. */
export function startOf(date: string, unit: string): string {
  const characters = new Map([
    ["day", 10],
    ["month", 7],
    ["year", 4],
  ]).get(unit.toLowerCase());
  if (characters === undefined) throw new NotConverted(`the start of a ${unit.slice(0, 40)}`);
  return `new Date(${date}.toISOString().slice(0, ${characters}))`;
}

/** Code for the number of units between two dates. Throws NotConverted. */
export function between(from: string, to: string, unit: string): string {
  const singular = unit.toLowerCase().replace(/s$/, "");
  const ms = Object.hasOwn(unitMs, singular) ? unitMs[singular] : undefined;
  if (ms === undefined) throw new NotConverted(`a time between dates in ${unit.slice(0, 40)}`);
  return `((new Date(${to}) - new Date(${from})) / ${ms})`;
}

/**
 * Converts the Luxon steps of a chain that starts with a date to code over JavaScript's Date, in UTC. The result is a
 * text, a number, or the date as ISO 8601; `rest`: the remaining steps. Throws NotConverted.
 */
export function dateSteps(
  date: string,
  steps: readonly Step[],
  emit: (node: Tree) => string,
): { readonly js: string; readonly rest: readonly Step[]; readonly isDate: boolean } {
  let js = date;
  for (let index = 0; index < steps.length; index += 1) {
    const [step, call] = [steps[index], steps[index + 1]];
    if (step?.kind !== "member" || step.name === null) throw new NotConverted("a read of a date");
    const { name } = step;
    if (call?.kind !== "call") {
      const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
      if (part === undefined) throw new NotConverted(`a date's “${name}”`);
      return { js: part(js), rest: steps.slice(index + 1), isDate: false };
    }
    const rest = steps.slice(index + 2);
    const [first, second] = call.args;
    if (name === "plus" || name === "minus") js = shifted(js, name === "plus" ? "+" : "-", first, second, emit);
    else if (name === "startOf") js = startOf(js, literalText(first) ?? "");
    else if (!["toUTC", "toJSDate"].includes(name)) return { js: formatCall(js, name, first), rest, isDate: false };
    index += 1;
  }
  return { js: `${js}.toISOString()`, rest: [], isDate: true };
}

/** A date as text or number. */
function formatCall(date: string, name: string, argument: Tree | undefined): string {
  if (name === "toISO" || name === "toString" || name === "toJSON") return `${date}.toISOString()`;
  if (name === "toISODate") return `${date}.toISOString().slice(0, 10)`;
  if (name === "toMillis" || name === "valueOf" || name === "getTime") return `${date}.getTime()`;
  if (name === "toSeconds") return `(${date}.getTime() / 1000)`;
  if (name === "toUnixInteger") return `Math.floor(${date}.getTime() / 1000)`;
  const format = literalText(argument);
  if ((name === "toFormat" || name === "format") && format !== null) return formatted(date, format);
  throw new NotConverted(`a date's “${name}()”`);
}

function shifted(
  date: string,
  sign: "+" | "-",
  first: Tree | undefined,
  second: Tree | undefined,
  emit: (node: Tree) => string,
): string {
  const unit = literalText(second);
  if (first !== undefined && unit !== null) return moved(date, sign, emit(first), unit);
  if (first?.type !== "ObjectExpression") throw new NotConverted("a shift of a date");
  return (first.properties ?? []).reduce((js, { key, value, computed }) => {
    const name = key?.name ?? (typeof key?.value === "string" ? key.value : null);
    if (name === null || computed === true) throw new NotConverted("a shift of a date");
    return moved(js, sign, emit(value as Tree), name);
  }, date);
}
