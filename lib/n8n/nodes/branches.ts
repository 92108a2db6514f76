import { compareValues, conditionsAt } from "../conditions.ts";
import { codeOf } from "../expressions/read-value.ts";
import { listOf, NotConverted, pathIn } from "../source.ts";
import { type Around, type Converter, join, part } from "./convert-node.ts";

const ifNode = part(({ parameters }) => ({
  branches: [
    { when: conditionsAt(parameters, "conditions"), name: "true" },
    { when: null, name: "false" },
  ],
}));

const switchNode = part(({ node, parameters }) => {
  const all = parameters.flag("options.allMatchingOutputs");
  if (parameters.text("mode", "rules") === "expression") {
    const count = Math.round(parameters.number("numberOutputs", 1, 100, 4));
    const output = parameters.code("output");
    return {
      on: output,
      branches: Array.from({ length: count }, (_, index) => ({
        when: `Number(${output}) === ${index}`,
        name: `way-${index}`,
      })),
    };
  }
  if (node.version >= 3) {
    const rules = parameters.entries(Array.isArray(parameters.at("rules.values")) ? "rules.values" : "rules.rules");
    const branches = rules.map((rule, index) => ({
      when: conditionsAt(rule, "conditions"),
      name: rule.flag("renameOutput") ? rule.text("outputKey") || `way-${index}` : `way-${index}`,
    }));
    const fallback = parameters.text("options.fallbackOutput", "none");
    if (fallback === "extra") return { all, branches: [...branches, { when: null, name: "otherwise" }] };
    if (fallback === "none") return { all, branches };
    const other = Number(fallback);
    return {
      all,
      branches: branches.map((branch, index) =>
        index === other ? { ...branch, when: `(${branch.when}) || !(${or(branches)})` } : branch,
      ),
    };
  }
  const type = parameters.text("dataType", "number");
  const rules = parameters.entries("rules.rules");
  const count = Math.min(100, Math.max(1, ...rules.map((rule) => rule.number("output", 0, 99, 0) + 1), 4));
  const taken: string[] = [];
  const outputs = Array.from({ length: count }, (_, index) => {
    const own = rules.filter((rule) => rule.number("output", 0, 99, 0) === index);
    const whens = own.map((rule) =>
      compareValues(type, rule.text("operation", "equal"), parameters.value("value1"), rule.value("value2")),
    );
    taken.push(...whens);
    return {
      when: whens.length === 0 ? "false" : whens.map((condition) => `(${condition})`).join(" || "),
      name: `way-${index}`,
    };
  });
  const other = parameters.number("fallbackOutput", -1, 99, -1);
  const none = `!(${taken.map((condition) => `(${condition})`).join(" || ") || "false"})`;
  return {
    branches: outputs.map((branch, index) =>
      index === other ? { ...branch, when: `(${branch.when}) || ${none}` } : branch,
    ),
  };
});

const or = (branches: readonly { readonly when: string }[]) => branches.map(({ when }) => `(${when})`).join(" || ");

const merge = join(({ node, parameters, inputs }) => {
  const [first, second] = inputs;
  if (first === undefined) throw new NotConverted("a merge without inputs");
  const there = (at: number) => {
    const source = inputs[at];
    return source === undefined ? "[]" : `(${source.isThere} ? ${listOf(source)} : [])`;
  };
  const appended = { js: `[${inputs.map((_, index) => `...${there(index)}`).join(", ")}]`, shape: "list" as const };
  const mode = modeOf(node.version, parameters);
  if (mode === "append" || second === undefined) return appended;
  if (mode === "choose") {
    const chosen = parameters.number("useDataOfInput", 1, 10, parameters.text("output") === "input2" ? 2 : 1) - 1;
    if (parameters.text("output", "specifiedInput") === "empty") return { js: "({})", shape: "one" };
    const source = inputs[chosen] ?? first;
    return { js: source.json, shape: source.shape };
  }
  if (inputs.length > 2) throw new NotConverted("a combination of more than two inputs");
  const clash = parameters.text("options.clashHandling.values.resolveClash");
  if (clash === "addSuffix") throw new NotConverted("fields of both inputs, told apart by a suffix");
  const isSingle = first.shape === "one" && second.shape === "one";
  const enrichesSecond = mode === "fields" && parameters.text("joinMode") === "enrichInput2";
  const prefersFirst = clash === "preferInput1" || (clash === "" && enrichesSecond);
  const both = (a: string, b: string) => (prefersFirst ? `both(${b}, ${a})` : `both(${a}, ${b})`);
  const merging = (js: string) => `((both) => ${js})(${mergerOf(parameters)})`;
  parameters.reportOthers("options", ["clashHandling", "includeUnpaired", "multipleMatches"]);
  if (isSingle && mode !== "fields") return { js: merging(both(first.json, second.json)), shape: "one" };
  if (mode === "position") {
    const most = parameters.flag("options.includeUnpaired") ? "max" : "min";
    const js = `((a, b) => Array.from({ length: Math.${most}(a.length, b.length) }, (_, at) => ${both("a[at]", "b[at]")}))(${there(0)}, ${there(1)})`;
    return { js: merging(js), shape: "list" };
  }
  if (mode === "all") {
    const js = `((a, b) => a.flatMap((one) => b.map((other) => ${both("one", "other")})))(${there(0)}, ${there(1)})`;
    return { js: merging(js), shape: "list" };
  }
  return { js: merging(matched(parameters, there(0), there(1), both)), shape: "list" };
});

/** A function that merges two items: the second's values replace the first's, by default also within objects and lists. */
function mergerOf(parameters: Around["parameters"]): string {
  const clash = "options.clashHandling.values";
  const isMissing = parameters.flag(`${clash}.overrideEmpty`) ? '(b == null || b === "")' : "b === undefined";
  const isWithin = 'typeof a === "object" && typeof b === "object" && a && b && Array.isArray(a) === Array.isArray(b)';
  const isMerged = parameters.text(`${clash}.mergeMode`) === "shallowMerge" ? `isItem && ${isWithin}` : isWithin;
  return `function both(a, b, isItem = true) { if (!(${isMerged})) return ${isMissing} ? a : b; const all = Array.isArray(a) ? [...a] : { ...a }; for (const name of Object.keys(b)) all[name] = both(a[name], b[name], false); return all; }`;
}

function modeOf(
  version: number,
  parameters: Around["parameters"],
): "append" | "choose" | "position" | "all" | "fields" {
  const mode = parameters.text("mode", "append");
  if (mode === "append") return "append";
  if (mode === "chooseBranch" || mode === "passThrough" || mode === "wait") return "choose";
  const combined =
    mode === "combine"
      ? parameters.text(
          version >= 3 ? "combineBy" : "combinationMode",
          version >= 3 ? "combineByFields" : "mergeByFields",
        )
      : mode;
  if (combined === "combineByPosition" || combined === "mergeByPosition" || combined === "mergeByIndex")
    return "position";
  if (combined === "combineAll" || combined === "multiplex") return "all";
  if (combined === "combineByFields" || combined === "mergeByFields") return "fields";
  throw new NotConverted(`the mode “${combined}”`);
}

/** Items of both inputs that are equal in these fields. */
function matched(
  parameters: Around["parameters"],
  a: string,
  b: string,
  both: (a: string, b: string) => string,
): string {
  const pairs = parameters
    .entries("mergeByFields.values")
    .map((entry) => [entry.text("field1"), entry.text("field2")] as const);
  const same = parameters.fields("fieldsToMatchString").map((name) => [name, name] as const);
  const names = parameters.flag("advanced") || same.length === 0 ? pairs : same;
  if (names.length === 0) throw new NotConverted("no fields to match");
  // Items without one of the fields match none.
  const keyOf = (item: string, at: 0 | 1) =>
    `((all) => (all.includes(undefined) ? "without ${at}" : JSON.stringify(all)))([${names.map((pair) => pathIn(item, pair[at])).join(", ")}])`;
  const some = parameters.text("options.multipleMatches", "all") === "first" ? ".slice(0, 1)" : "";
  const whole = `a.flatMap((one) => (inB.get(${keyOf("one", 0)}) ?? [])${some}.map((other) => ${both("one", "other")}))`;
  const left = `a.filter((one) => !inB.has(${keyOf("one", 0)}))`;
  const right = `b.filter((other) => !inA.has(${keyOf("other", 1)}))`;
  const byKey = `const inA = Map.groupBy(a, (one) => ${keyOf("one", 0)}); const inB = Map.groupBy(b, (other) => ${keyOf("other", 1)});`;
  const from = parameters.text("outputDataFrom", "both");
  const made = from === "input1" ? left.replace("!", "") : from === "input2" ? right.replace("!", "") : whole;
  const results: Readonly<Record<string, string>> = {
    keepMatches: made,
    keepNonMatches: from === "input1" ? left : from === "input2" ? right : `[...${left}, ...${right}]`,
    keepEverything: `[...${whole}, ...${left}, ...${right}]`,
    enrichInput1: `[...${whole}, ...${left}]`,
    enrichInput2: `[...${whole}, ...${right}]`,
  };
  const mode = parameters.text("joinMode", "keepMatches");
  if (!Object.hasOwn(results, mode)) throw new NotConverted(`the join ${codeOf(mode)}`);
  return `((a, b) => { ${byKey} return ${results[mode]}; })(${a}, ${b})`;
}

export const branchNodes: Readonly<Record<string, Converter>> = {
  if: ifNode,
  filter: ifNode,
  switch: switchNode,
  merge,
};
