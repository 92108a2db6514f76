import type { ModuleDeclaration, Statement, VariableDeclaration } from "acorn";
import { compileDate } from "./simple-dates.ts";
import { type Bind, binding, namesOf, withNames } from "./simple-pattern.ts";
import { type Place, refuse } from "./simple-place.ts";
import type { Evaluate, SimpleRun } from "./simple-program.ts";

/** What a statement comes to that does not return: the next one is done. */
const onward = Symbol("onward");

type Statements = readonly (Statement | ModuleDeclaration)[];

/**
 * The body of a function: constants, `if`, and `return`. Nothing is assigned and nothing is done twice, so that it is an
 * expression in other words.
 */
export function compileBody(statements: Statements, place: Place): Evaluate {
  const run = compileBlock(statements, place);
  return (of) => {
    const value = run(of);
    return value === onward ? undefined : value;
  };
}

function compileBlock(statements: Statements, around: Place): Evaluate {
  const declared = statements.flatMap((statement) =>
    statement.type === "VariableDeclaration" ? statement.declarations.flatMap(({ id }) => namesOf(id)) : [],
  );
  let place = around.below().before(declared);
  const steps: Evaluate[] = [];
  for (const statement of statements) {
    if (statement.type === "EmptyStatement") continue;
    if (statement.type === "VariableDeclaration") place = compileConstants(statement, place, steps);
    else steps.push(compileStatement(statement, place));
  }
  return (run) => {
    for (const step of steps) {
      const value = step(run);
      if (value !== onward) return value;
    }
    return onward;
  };
}

function compileStatement(statement: Statements[number], around: Place): Evaluate {
  const place = around.below();
  switch (statement.type) {
    case "ReturnStatement":
      return statement.argument ? place.compile(statement.argument) : () => undefined;
    case "BlockStatement":
      return compileBlock(statement.body, place);
    case "IfStatement": {
      const test = place.compile(statement.test);
      const yes = compileStatement(statement.consequent, place);
      const no = statement.alternate ? compileStatement(statement.alternate, place) : () => onward;
      return (run) => (test(run) ? yes(run) : no(run));
    }
    default:
      return refuse();
  }
}

/** `const`, or `let`, since nothing that is assigned is compiled: gives the place of what comes after it. */
function compileConstants(declaration: VariableDeclaration, before: Place, steps: Evaluate[]): Place {
  if (declaration.kind !== "const" && declaration.kind !== "let") return refuse();
  let place = before;
  // What has a name may be put into a list twice, and that twice again.
  place.tally.mayGrow = true;
  for (const { id, init } of declaration.declarations) {
    if (!init) return refuse();
    const date = id.type === "Identifier" ? compileDate(init, place) : null;
    const value = date ?? place.below().compile(init);
    const names = namesOf(id);
    const { place: after, locals } = withNames(names, place, date !== null);
    steps.push(keep(value, binding(id, new Map(names.map((name, index) => [name, locals[index] ?? refuse()])))));
    place = after;
  }
  return place;
}

function keep(value: Evaluate, bind: Bind): Evaluate {
  return (run: SimpleRun) => {
    bind(run, value(run));
    return onward;
  };
}
