// Dates that are made and asked on the spot, as what they are: milliseconds. A date that goes anywhere else, local times
// and texts that are not ISO 8601 are left to the sandbox.
import type { Expression as AnyNode, CallExpression } from "acorn";
import { type Place, refuse } from "./simple-place.ts";
import type { Evaluate, SimpleRun } from "./simple-program.ts";
import { unsure } from "./simple-values.ts";

type Moment = (run: SimpleRun) => number;

/** The time that an expression is that gives a date, such as `new Date(text)`; null for any other. */
export function compileDate(node: AnyNode, place: Place): Moment | null {
  if (node.type === "Identifier") return named(node.name, place);
  if (node.type !== "NewExpression" || node.callee.type !== "Identifier" || node.callee.name !== "Date") return null;
  const inside = place.below();
  const [of, more] = node.arguments;
  if (of === undefined) return (run) => run.now();
  if (more !== undefined || of.type === "SpreadElement") return refuse();
  const value = compileDate(of, inside) ?? inside.compile(of);
  return (run) => momentOf(run, value(run));
}

function named(name: string, { names }: Place): Moment | null {
  const local = names.get(name);
  return local?.isDate ? (run) => Number(run.locals[local.at]) : null;
}

/** What is compared and subtracted: a date as its milliseconds, and anything else as it is. */
export function compileComparable(node: AnyNode, place: Place): Evaluate {
  return compileDate(node, place) ?? place.compile(node);
}

/** `date.method()`; null where the method is not called on a date. */
export function compileDateCall(node: CallExpression, place: Place): Evaluate | null {
  const { callee } = node;
  if (callee.type !== "MemberExpression" || callee.object.type === "Super") return null;
  const moment = compileDate(callee.object, place);
  if (moment === null) return null;
  if (callee.computed || callee.optional || callee.property.type !== "Identifier" || node.arguments.length > 0) {
    return refuse();
  }
  const ask = dateMethods.get(callee.property.name) ?? refuse();
  return (run) => {
    run.spend(20);
    return ask(new Date(moment(run)));
  };
}

/** `Date.parse(text)`, and the present time. */
export function compileClockCall(name: string, node: CallExpression, place: Place): Evaluate {
  const [of, more] = node.arguments;
  if (name === "now" && of === undefined) return (run) => run.now();
  if (name !== "parse" || of === undefined || of.type === "SpreadElement" || more !== undefined) return refuse();
  const text = place.compile(of);
  return (run) => momentIn(run, text(run));
}

const dateMethods: ReadonlyMap<string, (date: Date) => string | number> = new Map(
  Object.entries<(date: Date) => string | number>({
    toISOString: written,
    toJSON: written,
    getTime: (date) => date.getTime(),
    valueOf: (date: Date) => date.getTime(),
    getUTCFullYear: (date) => date.getUTCFullYear(),
    getUTCMonth: (date) => date.getUTCMonth(),
    getUTCDate: (date) => date.getUTCDate(),
    getUTCDay: (date) => date.getUTCDay(),
    getUTCHours: (date) => date.getUTCHours(),
    getUTCMinutes: (date) => date.getUTCMinutes(),
    getUTCSeconds: (date) => date.getUTCSeconds(),
    getUTCMilliseconds: (date) => date.getUTCMilliseconds(),
  }),
);

/** With four digits for the year. */
function written(date: Date): string {
  const year = date.getUTCFullYear();
  return year >= 0 && year <= 9_999 ? date.toISOString() : leave();
}

/** A date has no more milliseconds than these, before 1970 or after. */
const millisecondsMax = 8.64e15;

function momentOf(run: SimpleRun, value: unknown): number {
  if (typeof value !== "number") return momentIn(run, value);
  // Adding nothing makes of minus zero what a date makes of it.
  return Math.abs(value) <= millisecondsMax ? Math.trunc(value) + 0 : leave();
}

/** A day, which begins at midnight UTC, or a time with its offset. All engines read these alike, if they exist. */
const iso =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]))(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d))?$/;

function momentIn(run: SimpleRun, text: unknown): number {
  if (typeof text !== "string" || text.length > 40) throw unsure;
  run.spend(40);
  const [whole, day = "", dayOfMonth] = iso.exec(text) ?? [];
  if (whole === undefined) throw unsure;
  const at = Date.parse(whole);
  // The 31st of February is no mistake to JavaScript, but another day.
  const isDay = Number(dayOfMonth) <= 28 || new Date(Date.parse(day)).getUTCDate() === Number(dayOfMonth);
  return Number.isNaN(at) || !isDay ? leave() : at;
}

function leave(): never {
  throw unsure;
}
