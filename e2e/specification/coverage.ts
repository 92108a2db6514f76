import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDirectory } from "../../scripts/places.mjs";

export interface Coverage {
  /** Ids, `section.statement`, of everything the service guarantees. */
  readonly statements: readonly string[];
  /** Statements that no test claims to prove. */
  readonly unproven: readonly string[];
  /** Claims that name no existing statement: where, and the id. */
  readonly unknown: readonly string[];
}

/** How much of `statements.md` a test claims to prove, by its comment `// Proves section.statement, …`. */
export function specificationCoverage(): Coverage {
  const statements = statementsIn(readFileSync(join(import.meta.dirname, "statements.md"), "utf8"));
  const promised = new Set(statements);
  const proven = new Set<string>();
  const unknown: string[] = [];
  for (const path of testFiles()) {
    for (const id of claimsIn(readFileSync(join(projectDirectory, path), "utf8"))) {
      if (promised.has(id)) proven.add(id);
      else unknown.push(`${path}: ${id}`);
    }
  }
  return { statements, unproven: statements.filter((id) => !proven.has(id)), unknown };
}

/** The coverage in a line. */
export function coverageLine({ statements, unproven }: Coverage): string {
  return `Specification: ${statements.length - unproven.length} of ${statements.length} statements have a test`;
}

/** The statement ids of a document: `## section`, then "- `statement` …" lines. */
export function statementsIn(document: string): string[] {
  let section = "";
  const ids: string[] = [];
  for (const line of document.split("\n")) {
    const [, heading] = /^## (\S+)$/.exec(line) ?? [];
    if (heading !== undefined) section = heading;
    const [, last] = /^- `([^`]+)`/.exec(line) ?? [];
    if (last !== undefined) ids.push(`${section}.${last}`);
  }
  return ids;
}

/** The ids that a test file's comments claim. A comment counts only directly above a test. */
export function claimsIn(source: string): string[] {
  const lines = source.split("\n").map((line) => line.trim());
  let pending: string[] = [];
  const ids: string[] = [];
  for (const line of lines) {
    const [, claimed] = /^\/\/ Proves (.+)$/.exec(line) ?? [];
    if (claimed !== undefined) pending.push(...claimed.split(", "));
    else if (!line.startsWith("//")) {
      if (/^(it|test)\b/.test(line)) ids.push(...pending);
      pending = [];
    }
  }
  return ids;
}

function testFiles(): string[] {
  return ["cli", "lib", "components", "e2e", "scripts", "."].flatMap((folder) =>
    readdirSync(join(projectDirectory, folder), { recursive: folder !== ".", encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => join(folder, file)),
  );
}
