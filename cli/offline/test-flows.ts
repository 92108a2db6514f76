import { join, relative, resolve } from "node:path";
import { findGraphProblems } from "#lib/engine/graph.ts";
import type { FlowDocument } from "#lib/flow-text/flow-document.ts";
import { nodeTypes } from "#lib/nodes/registry.ts";
import { problemsOf, type TestProblem } from "#lib/replay/comparison/compare.ts";
import { prepareReplay, type Replayable } from "#lib/replay/prepare.ts";
import { replay } from "#lib/replay/replay.ts";
import type { FindFlow } from "#lib/replay/sub-flow.ts";
import type { Sandbox } from "#lib/sandbox/sandbox.ts";
import type { Command } from "../context.ts";
import { exitCodes } from "../failure.ts";
import { readText, writeAtomically } from "../folder/flow-files.ts";
import { localFlow, readNamed } from "../folder/folder.ts";
import { filesByFlow, pulledFolderOf } from "../folder/state.ts";

/** Runs the tests in flow files, offline, against their recordings. */
export const testFlows: Command<[readonly string[]], { readonly junit?: string; readonly sandbox: Sandbox }> = async (
  { terminal },
  { junit, sandbox },
  paths,
) => {
  const flows = readNamed(paths.length === 0 ? ["."] : paths);
  const folders = new Set([".", ...flows.map(({ file }) => pulledFolderOf(file))]);
  const files = new Map(
    [...folders].flatMap((folder) => [...filesByFlow(folder)].map(([id, file]) => [id, join(folder, file)] as const)),
  );
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
        { line, column, message } = { line: 1, column: 1, message: "its graph is not valid: see millrace check" },
      ] = problems;
      terminal.warn(`${file}:${line}:${column}: cannot be tested: ${message}`);
      continue;
    }
    const results: TestResult[] = [];
    const count = document.tests?.length ?? 0;
    for await (const result of runTests(document, flow, { sandbox, findFlow, flowId: ids.get(resolve(file)) })) {
      results.push(result);
      terminal.progress(`${file}: ${results.length} of ${count}`);
      printResult(file, result);
    }
    tested.push({ file: relative(".", resolve(file)), name: document.flow.name, results });
  }
  const all = tested.flatMap(({ results }) => results);
  const failed = all.filter(({ status }) => status === "failed").length;
  if (junit !== undefined) writeAtomically(join(junit), junitXml(tested));
  terminal.print(`${all.length} tests, ${failed} failed${unreadable === 0 ? "" : `, ${unreadable} files not tested`}`);
  terminal.printJson({ passed: all.length - failed, failed, unreadable, files: tested });
  return failed + unreadable > 0 ? exitCodes.differs : exitCodes.ok;

  function printResult(file: string, { name, status, problems, durationMs }: TestResult): void {
    const mark = status === "passed" ? terminal.paint("green", "✓") : terminal.paint("red", "✗");
    terminal.print(`${mark} ${file}: ${name} ${terminal.paint("dim", `${Math.round(durationMs)} ms`)}`);
    for (const { path, message, expected, actual } of problems) {
      terminal.print(`    ${path}: ${message}`);
      terminal.print(`      expected ${JSON.stringify(expected)}`);
      terminal.print(`      actual   ${JSON.stringify(actual)}`);
    }
  }
};

interface TestedFile {
  readonly file: string;
  readonly name: string;
  readonly results: readonly TestResult[];
}

/** The results as JUnit XML, with a suite per file. */
function junitXml(tested: readonly TestedFile[]): string {
  const all = tested.flatMap(({ results }) => results);
  const suites = tested.map(({ file, name, results }) => {
    const cases = results.map((result) => caseOf(file, result));
    return `  <testsuite name=${quoted(name)} file=${quoted(file)} ${counts(results)}>\n${cases.join("")}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="millrace" ${counts(all)}>\n${suites.join("")}</testsuites>\n`;
}

function caseOf(file: string, { name, status, durationMs, problems }: TestResult): string {
  const start = `    <testcase name=${quoted(name)} classname=${quoted(file)} time="${seconds(durationMs)}"`;
  if (status === "passed") return `${start}/>\n`;
  const [first] = problems;
  const lines = problems.map(({ path, message, expected, actual }) => {
    return `${path} ${message}\n  expected ${JSON.stringify(expected)}\n  actual   ${JSON.stringify(actual)}`;
  });
  const failure = `<failure message=${quoted(`${first?.path} ${first?.message}`)}>${escaped(lines.join("\n"))}</failure>`;
  return `${start}>\n      ${failure}\n    </testcase>\n`;
}

function counts(results: readonly TestResult[]): string {
  const failures = results.filter(({ status }) => status === "failed").length;
  const ms = results.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return `tests="${results.length}" failures="${failures}" errors="0" time="${seconds(ms)}"`;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll('"', "&quot;").replaceAll("\n", "&#10;")}"`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Escapes text for XML 1.0; characters not allowed there become U+FFFD. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/[&<>]/g, (found) => entities[found] ?? found);
}

// Replays a flow's tests in this process with the server's engine and sandbox.

interface TestResult {
  readonly name: string;
  readonly status: "passed" | "failed";
  readonly durationMs: number;
  readonly problems: readonly TestProblem[];
}

/** The maximum duration of one test. */
const testMsMax = 30_000;
/** The clock of a test without a time: always the same. */
const timeless = "2026-01-01T00:00:00.000Z";

/** Prepares a flow. Null if its graph is invalid, because no test can run then. */
function prepare({ flow }: FlowDocument): Replayable | null {
  const { trigger, nodes, edges, variables = {} } = flow;
  if (findGraphProblems(nodes, edges, nodeTypes).length > 0) return null;
  return prepareReplay({ trigger, nodes, edges, variables });
}

/** Runs tests one after the other, reporting each result. `findFlow`: finds the flows that deep tests run. */
async function* runTests(
  { flow: { name }, tests = [] }: FlowDocument,
  flow: Replayable,
  {
    sandbox,
    findFlow,
    flowId,
  }: { readonly sandbox: Sandbox; readonly findFlow: FindFlow; readonly flowId?: string | undefined },
): AsyncGenerator<TestResult, void, undefined> {
  for (const test of tests) {
    const began = performance.now();
    const { expect, trigger, recordings, deep, now = timeless } = test;
    const signal = AbortSignal.timeout(testMsMax);
    const context = {
      flowName: name,
      sandbox,
      owner: "",
      signal,
      findFlow,
      ...(flowId === undefined ? {} : { flowId }),
    };
    const problems = await replay(flow, { trigger, recordings, now, deep }, context)
      .then((replayed) => problemsOf(expect, replayed))
      .catch((error: unknown): TestProblem[] => {
        if (!signal.aborted) throw error;
        const message = `takes longer than ${testMsMax / 1_000} seconds: it was given up`;
        return [{ path: "status", nodeId: null, message, expected: expect.status, actual: null }];
      });
    const durationMs = performance.now() - began;
    yield { name: test.name, status: problems.length === 0 ? "passed" : "failed", durationMs, problems };
  }
}
