import { join, relative, resolve } from "node:path";
import type { Sandbox } from "#lib/sandbox/sandbox.ts";
import type { Command } from "../context.ts";
import { exitCodes } from "../failure.ts";
import { readText, writeWhole } from "../folder/flow-files.ts";
import { localFlow, readNamed } from "../folder/folder.ts";
import { filesByFlow } from "../folder/state.ts";
import { junitXml, type TestedFile } from "./junit.ts";
import { prepare, runTests, type TestResult } from "./run-tests.ts";

/** Runs the tests in flows' texts: offline, over what they recorded. */
export const testFlows: Command<[readonly string[]], { readonly junit?: string; readonly sandbox: Sandbox }> = async (
  { terminal },
  { junit, sandbox },
  paths,
) => {
  const flows = readNamed(paths.length === 0 ? ["."] : paths);
  const files = filesByFlow(".");
  const findFlow = async (id: string) => {
    const file = files.get(id);
    const document = file === undefined ? null : localFlow(file, readText(file) ?? "").document;
    const flow = document === null ? null : prepare(document);
    return document === null || flow === null ? null : { name: document.flow.name, flow };
  };
  const ids = new Map([...files].map(([id, file]) => [resolve(file), id]));
  const tested: TestedFile[] = [];
  let unreadable = 0;
  for (const { file, document, problems } of flows) {
    const flow = document === null ? null : prepare(document);
    if (document === null || flow === null) {
      unreadable += 1;
      const [
        { line, column, message } = { line: 1, column: 1, message: "its graph is not sound: see millrace check" },
      ] = problems;
      terminal.warn(`${file}:${line}:${column}: cannot be tested: ${message}`);
      continue;
    }
    const results: TestResult[] = [];
    const count = document.tests?.length ?? 0;
    for await (const result of runTests(document, flow, { sandbox, findFlow, flowId: ids.get(resolve(file)) })) {
      results.push(result);
      terminal.progress(`${file}: ${results.length} of ${count}`);
      tell(file, result);
    }
    tested.push({ file: relative(".", resolve(file)), name: document.flow.name, results });
  }
  const all = tested.flatMap(({ results }) => results);
  const failed = all.filter(({ status }) => status === "failed").length;
  if (junit !== undefined) writeWhole(join(junit), junitXml(tested));
  terminal.say(`${all.length} tests, ${failed} failed${unreadable === 0 ? "" : `, ${unreadable} files not tested`}`);
  terminal.tell({ passed: all.length - failed, failed, unreadable, files: tested });
  return failed + unreadable > 0 ? exitCodes.differs : exitCodes.ok;

  function tell(file: string, { name, status, problems, durationMs }: TestResult): void {
    const mark = status === "passed" ? terminal.paint("green", "✓") : terminal.paint("red", "✗");
    terminal.say(`${mark} ${file}: ${name} ${terminal.paint("dim", `${Math.round(durationMs)} ms`)}`);
    for (const { path, message, expected, actual } of problems) {
      terminal.say(`    ${path}: ${message}`);
      terminal.say(`      expected ${JSON.stringify(expected)}`);
      terminal.say(`      actual   ${JSON.stringify(actual)}`);
    }
  }
};
