import { readProgram } from "#lib/expressions/read-expression.ts";
import { runSimple } from "#lib/expressions/simple-program.ts";
import type { Sandbox } from "../sandbox.ts";
import { evaluateBody } from "./evaluate.ts";

/** As JSON has it, what the server makes of a program itself; or that the sandbox has to be asked. */
export function valueHere(text: string, scope: Record<string, unknown>): unknown {
  const { simple } = readProgram(text);
  if (simple === null) return "not simple";
  const found = runSimple(simple, (name) => scope[name]);
  return found.kind === "unsure" ? "unsure" : JSON.parse(JSON.stringify(found.value ?? null));
}

/** What the sandbox makes of the body of a function; an error as text. */
export async function valueOfBody(sandbox: Sandbox, text: string, scope: Record<string, unknown>): Promise<unknown> {
  const { result } = await evaluateBody(sandbox, text, scope);
  return result.ok ? JSON.parse(result.json) : `${result.error.name}: ${result.error.message}`;
}
