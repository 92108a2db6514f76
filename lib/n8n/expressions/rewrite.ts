import { childrenOf, type Tree } from "#lib/expressions/expressions.ts";
import { movedPath, NotConverted, type Reading, restoredItem, type Source } from "../source.ts";
import { dateSteps } from "./dates.ts";
import { rewriteMethod } from "./methods.ts";
import { otherRoots } from "./roots.ts";
import { chainOf, literalText, type Step } from "./tree.ts";

/** Rewrites n8n's code to code with the same meaning here. */
export class Rewriter {
  readonly text: string;
  readonly reading: Reading;

  /** True in a code node, where n8n adds no methods to values. */
  readonly isCode: boolean;

  constructor(text: string, reading: Reading, isCode = false) {
    this.text = text;
    this.reading = reading;
    this.isCode = isCode;
  }

  /** The code of a part of the tree. Throws NotConverted. */
  emit = (node: Tree): string => {
    const made = this.#replaced(node);
    if (made !== null) return made;
    const parts: string[] = [];
    let at = node.start;
    for (const child of childrenOf(node)) {
      parts.push(this.text.slice(at, child.start), this.emit(child));
      at = child.end;
    }
    parts.push(this.text.slice(at, node.end));
    return parts.join("");
  };

  #replaced(node: Tree): string | null {
    if (node.type === "Property" && node.shorthand === true) {
      const name = node.key?.name ?? "";
      return name.startsWith("$")
        ? `${JSON.stringify(name)}: ${this.emit(node.key as Tree)}`
        : this.emit(node.value as Tree);
    }
    if (node.type === "Property" && node.computed !== true) {
      const value = node.value as Tree;
      // A key is just a name, even if it starts with `$`.
      return this.text.slice(node.start, value.start) + this.emit(value) + this.text.slice(value.end, node.end);
    }
    if (node.type === "PrivateIdentifier") throw new NotConverted("a class with private members");
    if (node.type === "AwaitExpression") throw new NotConverted("“await”");
    if (node.type === "ImportExpression") throw new NotConverted("an import");
    for (const name of declaredBy(node))
      if (name.startsWith("$")) throw new NotConverted(`a variable called “${name}”`);
    if (!["Identifier", "MemberExpression", "CallExpression", "ChainExpression"].includes(node.type)) return null;
    return this.#chain(node);
  }

  #chain(node: Tree): string {
    const { root, steps } = chainOf(node);
    const name = root.type === "Identifier" ? (root.name ?? "") : "";
    if (root.type === "ThisExpression" && steps[0]?.kind === "member" && ofN8n.has(steps[0].name ?? "")) {
      throw new NotConverted(`“this.${steps[0].name}”`);
    }
    if (name === "require" && steps[0]?.kind === "call") throw new NotConverted("require()");
    if (name.startsWith("$")) return this.#root(name, steps);
    if (name === "DateTime") return this.#dateTime(steps);
    const method = rewriteMethod(root, steps, this);
    if (method !== null) return method;
    if (steps.length === 0) return this.text.slice(root.start, root.end);
    const base = this.emit(root);
    return this.steps(/^[\w$.]+$/.test(base) || root.type === "Super" ? base : `(${base})`, steps);
  }

  /** A chain that continues from `base`. */
  steps(base: string, steps: readonly Step[]): string {
    const parts = steps.map((step) => {
      if (step.kind === "call") return `${step.optional ? "?." : ""}(${step.args.map(this.#argument).join(", ")})`;
      if (step.name !== null && /^[A-Za-z_$][\w$]*$/.test(step.name))
        return `${step.optional ? "?." : "."}${step.name}`;
      const isFixed = step.name !== null && typeof step.by.value !== "number";
      const by = isFixed ? JSON.stringify(step.name) : this.emit(step.by);
      return `${step.optional ? "?." : ""}[${by}]`;
    });
    return base + parts.join("");
  }

  #argument = (node: Tree): string => (node.type === "SequenceExpression" ? `(${this.emit(node)})` : this.emit(node));

  /** The same, with methods that only n8n has replaced. */
  more(base: string, steps: readonly Step[]): string {
    return rewriteMethod(base, steps, this) ?? this.steps(base, steps);
  }

  #root(name: string, steps: readonly Step[]): string {
    const { reading } = this;
    const [first, ...rest] = steps;
    if (name === "$json") return this.#data(reading.item, steps);
    if (name === "$data") return this.#data(reading.item, steps);
    if (name === "$input") return this.#items(reading.input, steps, "$input");
    if (name === "$now") return this.#date("new Date()", steps);
    if (name === "$today") return this.#date("new Date(new Date().toISOString().slice(0, 10))", steps);
    if (name === "$" || name === "$items") {
      const args = first?.kind === "call" ? first.args : [];
      const node = literalText(args[0]);
      if (name === "$items" && first?.kind === "call" && args.length === 0) return this.more(all(reading.input), rest);
      if (node === null) throw new NotConverted(`“${name}” with a name that is computed`);
      const source = this.#source(node);
      return name === "$" ? this.#items(source, rest, `$('${node}')`) : this.more(all(source), rest);
    }
    if (name === "$node") {
      if (first?.kind !== "member" || first.name === null)
        throw new NotConverted("“$node” with a name that is computed");
      const [member, ...data] = rest;
      if (member?.kind !== "member" || (member.name !== "json" && member.name !== "data")) {
        throw new NotConverted("a read of a node other than its data");
      }
      return this.#data(this.#itemOf(this.#source(first.name), first.name), data);
    }
    if (name === "$item") return this.#itemAt(steps);
    const other = otherRoots(name, steps, this);
    if (other !== null) return other;
    throw new NotConverted(`“${name.slice(0, 60)}”`);
  }

  /** `$item(0).$node["Name"].json`: the first item of a node. */
  #itemAt([call, root, node, member, ...data]: readonly Step[]): string {
    const index = call?.kind === "call" ? call.args[0]?.value : undefined;
    const isFirst = index === 0 || index === "0";
    const isData = member?.kind === "member" && (member.name === "json" || member.name === "data");
    if (!isFirst || !isData || root?.kind !== "member" || root.name !== "$node" || node?.kind !== "member")
      throw new NotConverted("“$item()” with what it is given");
    const source = this.#source(node.name ?? "");
    const json = source.shape === "one" ? source.json : `${source.json}[0]`;
    return this.#data({ ...source, shape: "one", json }, data);
  }

  #source(name: string): Source {
    const found = this.reading.of(name);
    if (typeof found === "string") throw new NotConverted(found);
    return found;
  }

  /** The item of another node that is paired with the current one. */
  #itemOf(source: Source, name: string): Source {
    if (source.shape === "one") return source;
    const { line, index } = this.reading;
    if (source.line === undefined || source.line !== line) {
      throw new NotConverted(`the item of “${name}” that belongs to this one: it is not clear which one`);
    }
    return { ...source, shape: "one", json: `${source.json}[${index}]` };
  }

  /** A read of a node's items: `.first().json.id`. */
  #items(source: Source, steps: readonly Step[], name: string): string {
    const [step, call, ...after] = steps;
    if (step?.kind !== "member" || step.name === null) throw new NotConverted(`“${name}” by itself`);
    const args = call?.kind === "call" ? call.args : null;
    if (step.name === "item" || step.name === "json") {
      const item = name === "$input" ? this.reading.item : this.#itemOf(source, name);
      return step.name === "json" ? this.#data(item, steps.slice(1)) : this.#wrapped(item, steps.slice(1));
    }
    if (step.name === "isExecuted" && args === null) return this.more(source.isThere, steps.slice(1));
    if (args === null) throw new NotConverted(`“${name}.${step.name}”`);
    if (step.name === "all" && args.length === 0) {
      const [next] = after;
      if (next?.kind === "member" && next.name === "length")
        return this.steps(`${listed(source)}.length`, after.slice(1));
      return this.more((name === "$input" ? this.reading.all : undefined) ?? all(source), after);
    }
    const places: Readonly<Record<string, string>> = { first: "0", last: "-1" };
    const fixed = args.length === 0 && Object.hasOwn(places, step.name) ? places[step.name] : undefined;
    const place = step.name === "itemMatching" && args[0] !== undefined ? this.emit(args[0]) : fixed;
    if (place === undefined) throw new NotConverted(`“${name}.${step.name}()” with what it is given`);
    const isAlone = source.shape === "one" && place !== undefined;
    const json = isAlone ? source.json : place === "-1" ? `${source.json}.at(-1)` : `${source.json}[${place}]`;
    return this.#wrapped({ ...source, shape: "one", json }, after);
  }

  /** An item: only its data exists here. */
  #wrapped(item: Source, steps: readonly Step[]): string {
    const [step, ...rest] = steps;
    if (step === undefined) return `({ json: ${restoredItem(item)} })`;
    if (step.kind === "member" && step.name === "json") return this.#data(item, rest, step.optional);
    throw new NotConverted(
      step.kind === "member" && step.name === "binary" ? "a file" : "a read of an item other than its data",
    );
  }

  /** A read of an item's data; some paths have moved here. */
  #data(item: Source, steps: readonly Step[], isOptional = false): string {
    const { moved } = item;
    if (moved === undefined) {
      const [first, ...rest] = steps;
      if (isOptional && first?.kind === "member") return this.more(item.json, [{ ...first, optional: true }, ...rest]);
      return this.more(item.json, steps);
    }
    const path: string[] = [];
    for (const [index, step] of steps.entries()) {
      if (step.kind !== "member" || step.name === null) break;
      path.push(step.name);
      const there = moved.get(movedPath(...path));
      if (there !== undefined) return this.more(there, steps.slice(index + 1));
    }
    return this.more(steps.length === 0 ? restoredItem(item) : item.json, steps);
  }

  #date(date: string, steps: readonly Step[]): string {
    this.reading.note("time");
    const { js, rest, isDate } = dateSteps(date, steps, this.emit);
    if (isDate && this.isCode) throw new NotConverted("a date of Luxon that is kept in a variable");
    return this.more(js, rest);
  }

  /** `DateTime.now()` and `DateTime.fromISO(text)`. */
  #dateTime(steps: readonly Step[]): string {
    const [step, call, ...rest] = steps;
    if (step?.kind !== "member" || call?.kind !== "call") throw new NotConverted("“DateTime”");
    const [argument] = call.args;
    if (["now", "utc", "local"].includes(step.name ?? "") && argument === undefined)
      return this.#date("new Date()", rest);
    if (argument === undefined) throw new NotConverted(`“DateTime.${step.name}()”`);
    if (["fromISO", "fromMillis", "fromJSDate", "fromSQL"].includes(step.name ?? "")) {
      return this.#date(`new Date(${this.emit(argument)})`, rest);
    }
    if (step.name === "fromSeconds") return this.#date(`new Date((${this.emit(argument)}) * 1000)`, rest);
    throw new NotConverted(`“DateTime.${step.name}()”`);
  }

  /** A value as a date. */
  date(value: string, steps: readonly Step[]): string {
    return this.#date(`new Date(${value})`, steps);
  }
}

/** What n8n passes to code as `this`. */
const ofN8n = new Set(
  "helpers getNodeParameter getCredentials getWorkflowStaticData getInputData getNode getContext getWorkflow logger".split(
    " ",
  ),
);

function declaredBy(node: Tree): readonly string[] {
  const declared = node.type === "VariableDeclarator" ? [node.id] : (node.params ?? []);
  return declared.flatMap((declaration) =>
    declaration?.type === "Identifier" && declaration.name !== undefined ? [declaration.name] : [],
  );
}

function listed(source: Source): string {
  return source.shape === "list" ? source.json : `[${source.json}]`;
}

/** All items of a node, as code of n8n expects them. */
export function all(source: Source): string {
  return source.shape === "list" ? `${source.json}.map((json) => ({ json }))` : `[{ json: ${restoredItem(source)} }]`;
}
