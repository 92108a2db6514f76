// What puts values together: templates, lists and objects.
import type { ArrayExpression, ObjectExpression, TemplateLiteral } from "acorn";
import { eachOwn } from "./simple-own.ts";
import { type Place, refuse } from "./simple-place.ts";
import type { Evaluate, SimpleRun } from "./simple-program.ts";
import { compileSet } from "./simple-set.ts";
import { joined, type Primitive, plainObject, primitive, setOwn, unsure } from "./simple-values.ts";

export function compileTemplate(node: TemplateLiteral, place: Place): Evaluate {
  const texts = node.quasis.map(({ value }) => value.cooked ?? refuse());
  const values = node.expressions.map((expression) => place.compile(expression));
  return (run) => {
    const pieces: Primitive[] = [];
    texts.forEach((text, index) => {
      pieces.push(text);
      const value = values[index];
      if (value !== undefined) pieces.push(primitive(value(run)));
    });
    const whole = joined(pieces);
    run.spendOnText(whole, 3);
    return whole;
  };
}

export function compileArray({ elements }: ArrayExpression, place: Place): Evaluate {
  const adds = elements.map((element): ((run: SimpleRun, made: unknown[]) => void) => {
    // A hole is no value, and neither null nor undefined.
    if (element === null) return refuse();
    if (element.type !== "SpreadElement") {
      const item = place.compile(element);
      return (run, made) => made.push(item(run));
    }
    const items = compileSet(element.argument, place) ?? place.compile(element.argument);
    return (run, made) => {
      const list = items(run);
      if (!Array.isArray(list)) throw unsure;
      run.spend(list.length);
      for (const item of list) made.push(item);
    };
  });
  return (run) => {
    const made: unknown[] = [];
    for (const add of adds) add(run, made);
    return run.keep(made);
  };
}

type Fill = (target: Record<string, unknown>, run: SimpleRun) => void;

export function compileObject(node: ObjectExpression, place: Place): (run: SimpleRun) => Record<string, unknown> {
  const fills = node.properties.map((property): Fill => {
    if (property.type === "SpreadElement") return spread(place.compile(property.argument));
    const { key, value, computed, kind, method } = property;
    if (method || kind !== "init") return refuse();
    const program = place.compile(value);
    if (computed) {
      const named = place.compile(key);
      return (target, run) => {
        const name = String(primitive(named(run)));
        run.spendOnText(name, 3);
        setOwn(target, name, program(run));
      };
    }
    const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : refuse();
    // `__proto__: value` sets a prototype; nothing that stands for data does.
    if (name === "__proto__") return refuse();
    return (target, run) => setOwn(target, name, program(run));
  });
  return (run) => {
    const made: Record<string, unknown> = {};
    for (const fill of fills) fill(made, run);
    return run.keepObject(made);
  };
}

function spread(argument: Evaluate): Fill {
  return (target, run) => {
    const value = argument(run);
    if (value === null || value === undefined) return;
    eachOwn(run, plainObject(value), (key, own) => setOwn(target, key, own));
  };
}
