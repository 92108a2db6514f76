// How long the bundled command line takes from start to end, compared with an empty Node program.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { writeFlowText } from "#lib/flow-text/write-flow-text.ts";

const rounds = 15;
const testsCount = 20;

/** A five-node flow with expressions of all kinds, and its tests. */
function flowText(count: number, limit = 100): string {
  const nodes = [
    { id: "check", type: "if-else", config: { condition: `$trigger.body.total > ${limit}` } },
    { id: "ask", type: "http-request", config: { url: "https://rates.example/" } },
    {
      id: "sum",
      type: "transform",
      config: { transform: "$trigger.body.items.map((item) => item.price).reduce((a, b) => a + b, 0)" },
    },
    { id: "note", type: "log", config: { message: "{{ $trigger.body.total }}" } },
    { id: "answer", type: "respond", config: { body: "{{ $nodes.sum.output }}" } },
  ].map((node) => ({ ...node, name: node.id, position: { x: 0, y: 0 } }));
  const edges = [
    { source: "check", target: "ask", sourceHandle: "true" },
    { source: "ask", target: "sum" },
    { source: "sum", target: "note" },
    { source: "note", target: "answer" },
  ];
  const tests = Array.from({ length: count }, (_, index) => ({
    name: `Order ${index}`,
    trigger: { body: { total: 200, items: [{ price: index }, { price: 1 }] }, headers: {}, query: {}, method: "POST" },
    recordings: { ask: { output: { status: 200, headers: {}, body: 1 } } },
    expect: { status: "completed" as const, nodes: { sum: { output: index + 1 } } },
  }));
  const trigger = { type: "manual" as const, config: {} };
  return writeFlowText({ version: "1.0.0", flow: { name: "Bench", description: null, trigger, nodes, edges }, tests });
}

export async function cliBenchmark(): Promise<void> {
  execFileSync(process.execPath, ["scripts/cli/build.mjs"], { stdio: "inherit" });
  const program = resolve("dist/cli/millrace.mjs");
  const folder = mkdtempSync(join(tmpdir(), "millrace-bench-"));
  try {
    writeFileSync(join(folder, "plain.flow.yaml"), flowText(0));
    writeFileSync(join(folder, "other.flow.yaml"), flowText(0, 50));
    writeFileSync(join(folder, "tested.flow.yaml"), flowText(testsCount));
    const commands: Record<string, { readonly given: readonly string[]; readonly mostMs: number | null }> = {
      "node -e 0": { given: ["-e", "0"], mostMs: null },
      "millrace --version": { given: [program, "--version"], mostMs: 150 },
      "millrace check": { given: [program, "check", "plain.flow.yaml"], mostMs: 150 },
      "millrace diff": { given: [program, "diff", "plain.flow.yaml", "other.flow.yaml"], mostMs: 150 },
      [`millrace test, ${testsCount} tests`]: { given: [program, "test", "tested.flow.yaml"], mostMs: 400 },
    };
    const figures = Object.entries(commands).map(([name, { given, mostMs }]) => {
      const times = Array.from({ length: rounds }, () => timeOf(given, folder)).toSorted((a, b) => a - b);
      const [best = 0, middle = 0] = [times[0], times[Math.floor(rounds / 2)]].map((ms) => Math.round(ms ?? 0));
      return [name, { "median ms": middle, "best ms": best, "at most": mostMs ?? "" }] as const;
    });
    console.log("\nthe command line, from its start to its end");
    console.table(Object.fromEntries(figures));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function timeOf(given: readonly string[], cwd: string): number {
  const startedAt = performance.now();
  try {
    execFileSync(process.execPath, [...given], { cwd, stdio: "ignore" });
  } catch (error) {
    // It exits with 1 if there is a difference.
    if ((error as { status?: number }).status !== 1) throw error;
  }
  return performance.now() - startedAt;
}
