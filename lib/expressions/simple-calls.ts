import type { Expression as AnyNode, CallExpression, SpreadElement } from "acorn";
import { compileAssign } from "./simple-assign.ts";
import { type Callback, compileCallback } from "./simple-callback.ts";
import { compileClockCall, compileDateCall } from "./simple-dates.ts";
import { convert, plainFunctions } from "./simple-functions.ts";
import { type ItemMethod, itemMethods, listMethods } from "./simple-list-methods.ts";
import { type Place, refuse } from "./simple-place.ts";
import type { Evaluate, SimpleRun } from "./simple-program.ts";
import { compileSort, isMadeHere } from "./simple-sort.ts";
import { numberMethods, textMethods } from "./simple-text-methods.ts";
import { missing, unsure } from "./simple-values.ts";

/**
 * A call of a method of lists, texts or numbers, or of one of JavaScript's own functions, of those that are known here.
 * What a method is called on decides at run time: anything else is left to the sandbox.
 */
export function compileCall(node: CallExpression, place: Place): Evaluate {
  place.tally.mayGrow = true;
  const { callee } = node;
  if (node.optional) return refuse();
  const ofDate = compileDateCall(node, place);
  if (ofDate !== null) return ofDate;
  if (callee.type === "Identifier") return callOf(functionNamed(callee.name), node, place);
  if (callee.type !== "MemberExpression" || callee.computed || callee.property.type !== "Identifier") return refuse();
  const { object, optional } = callee;
  if (object.type === "Super") return refuse();
  const name = callee.property.name;
  if (object.type === "Identifier" && isGlobal(object.name)) {
    if (optional) return refuse();
    if (object.name === "Date") return compileClockCall(name, node, place);
    const full = `${object.name}.${name}`;
    return full === "Object.assign" ? compileAssign(node, place) : callOf(plainFunctions.get(full), node, place);
  }
  const of = receiver(place.compile(object), optional);
  if (name === "sort" || name === "toSorted" || name === "reverse") {
    // What changes its list may only have one that nobody else has.
    if (name !== "toSorted" && !isMadeHere(object)) return refuse();
    return name === "reverse" ? callMethod(of, "toReversed", argumentsOf(node, place)) : compileSort(of, node, place);
  }
  const forItems = itemMethods.get(name);
  if (forItems !== undefined) return callForItems(of, forItems, name === "reduce", node, place);
  return callMethod(of, name, argumentsOf(node, place));
}

const isGlobal = (name: string) => ["Math", "Object", "Array", "JSON", "Number", "Date"].includes(name);

const functionNamed = (name: string) => convert.get(name) ?? plainFunctions.get(name);

type Receiver = (run: SimpleRun) => unknown;

/** What a method is called on; `missing` where `?.` ends the chain. */
function receiver(of: Evaluate, optional: boolean): Receiver {
  if (!optional) return of;
  return (run) => {
    const value = of(run);
    return value === null || value === undefined ? missing : value;
  };
}

function callOf(call: ((run: SimpleRun, given: unknown[]) => unknown) | undefined, node: CallExpression, place: Place) {
  if (call === undefined) return refuse();
  const given = argumentsOf(node, place);
  return (run: SimpleRun) => call(run, given(run));
}

/** A method that calls a function for each item. */
function callForItems(of: Receiver, method: ItemMethod, isFold: boolean, node: CallExpression, place: Place): Evaluate {
  const [first, initial, more] = node.arguments;
  if (first === undefined || more !== undefined || (initial !== undefined && !isFold)) return refuse();
  const call = callbackOf(first, place, isFold ? 3 : 2);
  const begin = initial === undefined ? null : place.compile(initial.type === "SpreadElement" ? refuse() : initial);
  return (run) => {
    const list = of(run);
    if (list === missing) return missing;
    if (!Array.isArray(list)) throw unsure;
    return method(run, list, call, begin);
  };
}

/** An arrow function, or one of those such as `Boolean` that look at their first argument only. */
function callbackOf(node: AnyNode | SpreadElement, place: Place, parametersMax: number): Callback {
  if (node.type === "SpreadElement") return refuse();
  if (node.type !== "Identifier") return compileCallback(node, place, parametersMax);
  if (node.name === "parseInt") return refuse();
  const convertOne = functionNamed(node.name) ?? refuse();
  return (run, first) => {
    run.spend(1);
    return convertOne(run, [first]);
  };
}

function callMethod(of: Receiver, name: string, given: (run: SimpleRun) => unknown[]): Evaluate {
  const ofList = listMethods.get(name);
  const ofText = textMethods.get(name);
  const ofNumber = numberMethods.get(name);
  if (ofList === undefined && ofText === undefined && ofNumber === undefined) return refuse();
  return (run) => {
    const value = of(run);
    if (value === missing) return missing;
    if (typeof value === "string" && ofText !== undefined) return ofText(run, value, given(run));
    if (typeof value === "number" && ofNumber !== undefined) return ofNumber(value, given(run));
    if (Array.isArray(value) && ofList !== undefined) return ofList(run, value, given(run));
    throw unsure;
  };
}

function argumentsOf(node: CallExpression, place: Place): (run: SimpleRun) => unknown[] {
  const all = place.compile({ ...node, type: "ArrayExpression", elements: node.arguments } as AnyNode);
  return (run) => all(run) as unknown[];
}
