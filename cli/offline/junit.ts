import type { TestResult } from "./run-tests.ts";

export interface TestedFile {
  readonly file: string;
  readonly name: string;
  readonly results: readonly TestResult[];
}

/** Results as the XML that CI systems read: a suite for each file. */
export function junitXml(tested: readonly TestedFile[]): string {
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

/** As XML 1.0: what no document may hold is U+FFFD. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/[&<>]/g, (found) => entities[found] ?? found);
}
