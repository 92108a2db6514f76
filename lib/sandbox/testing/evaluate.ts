import { createSandbox, type Sandbox, type SandboxLimits, type SandboxResult } from "../sandbox.ts";

/** Evaluates one source over plain values. */
export async function evaluate(
  sandbox: Sandbox,
  source: string,
  scope: Record<string, unknown> = {},
  limits: Partial<SandboxLimits> = {},
): Promise<SandboxResult> {
  const answer = await sandbox.run({ scope: asTexts(scope), programs: [{ source, kind: "expression" }], limits });
  return only(answer.results);
}

export async function evaluateBody(sandbox: Sandbox, source: string, scope: Record<string, unknown> = {}) {
  const answer = await sandbox.run({ scope: asTexts(scope), programs: [{ source, kind: "body" }] });
  return { result: only(answer.results), logs: answer.logs };
}

/** The value, or the error as text, so that a failing test shows what happened. */
export async function valueFrom(
  sandbox: Sandbox,
  source: string,
  scope: Record<string, unknown> = {},
): Promise<unknown> {
  const result = await evaluate(sandbox, source, scope);
  return result.ok ? JSON.parse(result.json) : `${result.error.kind} ${result.error.name}: ${result.error.message}`;
}

export async function errorOf(sandbox: Sandbox, source: string, limits: Partial<SandboxLimits> = {}) {
  const result = await evaluate(sandbox, source, {}, limits);
  if (result.ok) throw new Error(`${source} evaluates to ${result.json}`);
  return result.error;
}

/** One child, so that everything in a test happens in the same process. */
export const oneChild = (): Sandbox => createSandbox({ children: 1 });

function asTexts(scope: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(scope).map(([name, value]) => [name, JSON.stringify(value)]));
}

function only(results: readonly SandboxResult[]): SandboxResult {
  const [result] = results;
  if (result === undefined) throw new Error("there is no result");
  return result;
}
