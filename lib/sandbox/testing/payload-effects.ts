// Payloads that escape a sandbox and return the host's version, changed to do something worse.
export interface Payload {
  readonly id: string;
  readonly expr: string;
}

/** What a payload may do once it has reached the host: read a variable or a file, open a connection. */
export function sideEffects({ variable, file, port }: { variable: string; file: string; port: number }): string[] {
  return [
    `process.env.${variable}`,
    `process.getBuiltinModule("fs").readFileSync(${JSON.stringify(file)}, "utf8")`,
    `process.getBuiltinModule("net").connect(${port}, "127.0.0.1")`,
    `fetch("http://127.0.0.1:${port}/")`,
  ];
}

export function reachingVariants(payloads: readonly Payload[], done: readonly string[]): string[] {
  return payloads
    .filter(({ expr }) => expr.includes("process.version"))
    .flatMap(({ expr }) =>
      done.map((sideEffect) => expr.replaceAll("process.version", () => escapeFor(expr, sideEffect))),
    );
}

/** The payloads hold their program in single quotes. */
function escapeFor(expr: string, sideEffect: string): string {
  return expr.includes("'return") || expr.includes("'yield") ? sideEffect.replaceAll("'", "\\'") : sideEffect;
}
