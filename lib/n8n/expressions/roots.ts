import { memberOf, NotConverted } from "../source.ts";
import type { Rewriter } from "./rewrite.ts";
import { literalText, type Step } from "./tree.ts";

type Root = (steps: readonly Step[], rewriter: Rewriter) => string;

const nameOf = (step: Step | undefined): string | null => (step?.kind === "member" ? step.name : null);

/** A root whose known members are replaced. */
function member(label: string, known: Readonly<Record<string, string>>): Root {
  return (steps, rewriter) => {
    const name = nameOf(steps[0]) ?? "";
    const there = Object.hasOwn(known, name) ? known[name] : undefined;
    if (there === undefined) throw new NotConverted(`“${label}${name === "" ? "" : `.${name}`}”`);
    return rewriter.more(there, steps.slice(1));
  };
}

/** An n8n function as equivalent code. */
function called(label: string, count: number, make: (args: readonly string[]) => string): Root {
  return (steps, rewriter) => {
    const [call] = steps;
    if (call?.kind !== "call" || call.args.length < count) throw new NotConverted(`“${label}”`);
    return rewriter.more(make(call.args.map(rewriter.emit)), steps.slice(1));
  };
}

/** `$vars` and `$env` are settings of an n8n installation; here they are variables of the flow. */
const variable: Root = (steps, rewriter) => {
  const name = nameOf(steps[0]);
  if (name === null || name === "__proto__" || name.length > 100)
    throw new NotConverted("a variable whose name is computed");
  rewriter.reading.note({ variable: name });
  return rewriter.more(`$vars${memberOf(name)}`, steps.slice(1));
};

const roots: Readonly<Record<string, Root>> = {
  $workflow: member("$workflow", { id: "$flow.id", name: "$flow.name", active: "true" }),
  $execution: (steps, rewriter) => {
    const { waitId } = rewriter.reading;
    const resume = waitId === null ? {} : { resumeUrl: `$resume[${JSON.stringify(waitId)}]` };
    return member("$execution", { id: "$execution.id", mode: '"production"', ...resume, ...formOf(resume) })(
      steps,
      rewriter,
    );
  },
  $env: variable,
  $vars: variable,
  $itemIndex: (steps, rewriter) => rewriter.more(rewriter.reading.index, steps),
  $position: (steps, rewriter) => rewriter.more(rewriter.reading.index, steps),
  $prevNode: (steps, rewriter) => {
    const { before } = rewriter.reading;
    return member("$prevNode", before === null ? {} : { name: JSON.stringify(before) })(steps, rewriter);
  },
  $if: called("$if", 2, ([condition, yes, no]) => `((${condition}) ? (${yes}) : (${no ?? "undefined"}))`),
  $ifEmpty: called(
    "$ifEmpty",
    2,
    ([value, otherwise]) =>
      `((one, other) => (one == null || one === "" || (typeof one === "object" && Object.keys(one).length === 0) ? other : one))(${value}, ${otherwise})`,
  ),
  $max: called("$max", 1, (args) => `Math.max(${args.join(", ")})`),
  $min: called("$min", 1, (args) => `Math.min(${args.join(", ")})`),
  $not: called("$not", 1, ([value]) => `!(${value})`),
  $jmespath: (steps, rewriter) => {
    const [call] = steps;
    const [data, query] = call?.kind === "call" ? call.args : [];
    const path = literalText(query);
    if (data === undefined || path === null || !/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(path)) {
      throw new NotConverted("a query of “$jmespath()”");
    }
    return rewriter.more(`(${rewriter.emit(data)})?.${path.replaceAll(".", "?.")}`, steps.slice(1));
  },
};

const formOf = ({ resumeUrl }: { readonly resumeUrl?: string }) =>
  resumeUrl === undefined ? {} : { resumeFormUrl: resumeUrl };

/** A chain that starts with any other of n8n's names; null for an unknown name. Throws NotConverted. */
export function otherRoots(name: string, steps: readonly Step[], rewriter: Rewriter): string | null {
  return Object.hasOwn(roots, name) ? (roots[name]?.(steps, rewriter) ?? null) : null;
}
