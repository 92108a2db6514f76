import type { Command } from "../context.ts";
import { exitCodes } from "../failure.ts";
import { readNamed } from "../folder/folder.ts";
import { checkDocument } from "../offline/check-document.ts";
import type { Paint } from "../terminal.ts";

interface Finding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: "error" | "warning" | "info";
  readonly code: string | null;
  readonly path: string;
  readonly message: string;
}

const severityColors: Record<Finding["severity"], Paint> = { error: "red", warning: "yellow", info: "blue" };

/** Checks flow files. Problems are differences; advice is one only with `--strict`. */
export const check: Command<[readonly string[]], { readonly strict?: boolean }> = async (
  { terminal },
  { strict = false },
  paths,
) => {
  const flows = readNamed(paths.length === 0 ? ["."] : paths);
  const findings: Finding[] = [];
  for (const { file, document, problems, placeOf } of flows) {
    terminal.progress(`Checking ${file}`);
    if (document === null) {
      findings.push(...problems.map((problem) => ({ file, severity: "error" as const, code: null, ...problem })));
      continue;
    }
    for (const finding of await checkDocument(document)) findings.push({ file, ...finding, ...placeOf(finding.path) });
  }
  const errors = findings.filter(({ severity, code }) => severity === "error" && code === null).length;
  const advice = findings.length - errors;
  for (const { file, line, column, severity, code, path, message } of findings) {
    const kind = terminal.paint(severityColors[severity], severity);
    const where = path === "" ? "" : `${path}: `;
    terminal.print(`${file}:${line}:${column}: ${kind}: ${where}${message}${code === null ? "" : ` [${code}]`}`);
  }
  terminal.print(
    `${flows.length} ${flows.length === 1 ? "flow" : "flows"}, ${errors} problems, ${advice} pieces of advice`,
  );
  terminal.printJson({ flows: flows.length, problems: errors, advice, findings });
  return errors > 0 || (strict && advice > 0) ? exitCodes.differs : exitCodes.ok;
};
