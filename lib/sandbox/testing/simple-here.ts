import { readProgram } from "#lib/engine/expression.ts";
import { runSimple } from "#lib/engine/simple-program.ts";

/** As JSON has it, what the server makes of an expression itself; or that the sandbox has to be asked. */
export function valueHere(text: string, scope: Record<string, unknown>): unknown {
  const { simple } = readProgram(text);
  if (simple === null) return "not simple";
  const found = runSimple(simple, (name) => scope[name]);
  return found.kind === "unsure" ? "unsure" : JSON.parse(JSON.stringify(found.value ?? null));
}
