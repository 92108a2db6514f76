import type { QuickJSHandle } from "quickjs-emscripten-core";
import { CpuClock } from "./cpu-clock.ts";
import {
  failed,
  overCpu,
  overMemory,
  overResult,
  overTaskCpu,
  overTaskResults,
  positionOf,
  type ThrownError,
} from "./failure.ts";
import { bootGuest, type Guest } from "./guest.ts";
import { ProgramCache, wrap } from "./program-cache.ts";
import {
  programsOfTask,
  type SandboxAnswer,
  type SandboxLog,
  type SandboxProgram,
  type SandboxResult,
  type TaskMessage,
} from "./protocol.ts";

const identifier = /^[A-Za-z_$][\w$]*$/;
const exhausted = /^(out of memory|string too long)$/;
/** A guest that filled its memory leaves all of it resident. After this many, the child asks to be replaced. */
const hogsMax = 10;
/** How long a task may compile sources to keep them. The others are compiled when they run, and kept by later tasks. */
const prepareMsMax = 25;

/** Evaluates tasks one after the other, each from the same memory image. An exception means the guest is broken. */
export class Evaluator {
  readonly #guest: Guest;
  readonly #clock: CpuClock;
  readonly #cache: ProgramCache;
  readonly #memoryBytes: number;
  #hogs = 0;
  /** Whether the guest may hold log entries. Asking it takes longer than a short expression. */
  #mayHaveLogged = false;

  static async boot(memoryBytes: number): Promise<Evaluator> {
    const clock = new CpuClock();
    clock.start(60_000);
    return new Evaluator(await bootGuest(memoryBytes, clock.check), clock, memoryBytes);
  }

  constructor(guest: Guest, clock: CpuClock, memoryBytes: number) {
    this.#guest = guest;
    this.#clock = clock;
    this.#memoryBytes = memoryBytes;
    this.#cache = new ProgramCache(guest);
  }

  get worn(): boolean {
    return this.#hogs > hogsMax;
  }

  /** `beforeProgram` is called before each program but the first, to report progress. */
  evaluate(task: TaskMessage, beforeProgram: (index: number) => void): SandboxAnswer {
    const invalidName = task.names.find((name) => !identifier.test(name));
    if (invalidName !== undefined) {
      return {
        results: task.programs.map(() => failed("syntax", "SyntaxError", `not a name: ${invalidName}`)),
        logs: [],
      };
    }
    const keys = task.programs.map((program) => keyOf(program, task.names));
    const preparedBy = performance.now() + prepareMsMax;
    for (const [index, program] of task.programs.entries()) {
      if (performance.now() > preparedBy) break;
      this.#clock.start(task.limits.cpuMs);
      this.#cache.prepare(keys[index] ?? "", program, () => this.#compileWhole(program, task.names));
    }
    const results: SandboxResult[] = [];
    const spent = new TaskTotal(task.limits);
    let refused = this.#begin(task);
    for (const [index, program] of task.programs.entries()) {
      if (index > 0) beforeProgram(index);
      const result = refused ?? spent.refusal() ?? this.#run(task, program, keys[index] ?? "");
      spent.add(this.#clock.spentMs, result);
      results.push(result);
      if (result.ok || result.error.kind !== "limit" || spent.refusal() !== undefined) continue;
      if (index + 1 === task.programs.length) break;
      // A program that was stopped may have left anything behind; the next one starts from a clean guest.
      refused = this.#begin(task);
      spent.add(this.#clock.spentMs);
    }
    return { results, logs: this.#mayHaveLogged ? this.#takeLogs() : [] };
  }

  #begin(task: TaskMessage): SandboxResult | undefined {
    const { context, prelude, image, pressure, withhold } = this.#guest;
    image.restore();
    pressure.exhausted = false;
    if (task.limits.memoryBytes < this.#memoryBytes) withhold(this.#memoryBytes - task.limits.memoryBytes);
    const seed = randomPair();
    this.#clock.start(task.limits.cpuMs);
    const texts = task.texts.map((text) => context.newString(text));
    const seeds = [context.newNumber(seed[0]), context.newNumber(seed[1])];
    const begun = context.callFunction(prelude.begin, context.undefined, ...seeds, ...texts);
    if (begun.error === undefined) return undefined;
    return this.#explain(task, begun.error, "", "thrown");
  }

  #run(task: TaskMessage, program: SandboxProgram, key: string): SandboxResult {
    const { context, prelude } = this.#guest;
    this.#clock.start(task.limits.cpuMs);
    this.#mayHaveLogged = true;
    let compiled = this.#cache.find(key);
    if (compiled === undefined) {
      const outcome = this.#compile(program, task.names);
      if (outcome.error !== undefined) return this.#explain(task, outcome.error, program.source, "syntax");
      if (!outcome.whole) return failed("syntax", "SyntaxError", notOne[program.kind]);
      compiled = outcome.value;
    }
    const bytesMax = context.newNumber(task.limits.resultBytes);
    const mayHoldSymbols = /symbol/i.test(program.source) ? context.true : context.false;
    const called = context.callFunction(prelude.evaluate, context.undefined, compiled, bytesMax, mayHoldSymbols);
    if (called.error !== undefined) return this.#explain(task, called.error, program.source, "thrown");
    if (this.#clock.expired) return overCpu(task.limits);
    return this.#read(task, context.getString(called.value), program.source);
  }

  #read(task: TaskMessage, answer: string, source: string): SandboxResult {
    const rest = answer.slice(1);
    const kind = answer[0]?.toLowerCase();
    this.#mayHaveLogged = kind !== answer[0];
    switch (kind) {
      case "u":
        return { ok: true, json: "null", type: "undefined" };
      case "v":
        return Buffer.byteLength(rest) > task.limits.resultBytes
          ? overResult(task.limits)
          : { ok: true, json: rest, type: typeOfJson(rest) };
      case "r":
        return overResult(task.limits);
      case "s": {
        const { name, message } = JSON.parse(rest) as ThrownError;
        return failed("unserializable", name, message);
      }
      default:
        return this.#classify(task, JSON.parse(rest) as ThrownError, source, "thrown");
    }
  }

  #explain(task: TaskMessage, error: QuickJSHandle, source: string, kind: "syntax" | "thrown"): SandboxResult {
    if (this.#clock.expired) return overCpu(task.limits);
    const { context, prelude } = this.#guest;
    const reported = context.callFunction(prelude.report, context.undefined, error);
    // Not even this could be allocated.
    if (reported.error !== undefined) return this.#clock.expired ? overCpu(task.limits) : this.#overMemory(task);
    return this.#classify(task, JSON.parse(context.getString(reported.value)) as ThrownError, source, kind);
  }

  #classify(task: TaskMessage, thrown: ThrownError, source: string, kind: "syntax" | "thrown"): SandboxResult {
    const ranOut = thrown.name === "InternalError" && exhausted.test(thrown.message);
    // Without memory for an error, the engine throws something without a stack.
    if (ranOut || (this.#guest.pressure.exhausted && thrown.stack === "")) return this.#overMemory(task);
    const position = positionOf(thrown, source);
    if (kind === "thrown" || thrown.name !== "SyntaxError")
      return failed("thrown", thrown.name, thrown.message, position);
    // The engine would name the parenthesis that the wrapper adds.
    const message = position === source.length ? "unexpected end of the source" : thrown.message;
    return failed("syntax", thrown.name, message, position);
  }

  #overMemory(task: TaskMessage): SandboxResult {
    this.#hogs += 1;
    return overMemory(task.limits);
  }

  #compile(program: SandboxProgram, names: readonly string[]) {
    const { context, prelude } = this.#guest;
    const { code, text } = wrap(program, names);
    const outcome = context.evalCode(code, "program", { type: "global", strict: true });
    if (outcome.error !== undefined) return { error: outcome.error };
    const compiled = context.callFunction(prelude.textOf, context.undefined, outcome.value);
    const whole = compiled.error === undefined && context.getString(compiled.value) === text;
    return { error: undefined, value: outcome.value, whole };
  }

  #compileWhole(program: SandboxProgram, names: readonly string[]): QuickJSHandle | undefined {
    const outcome = this.#compile(program, names);
    return outcome.error === undefined && outcome.whole ? outcome.value : undefined;
  }

  #takeLogs(): SandboxLog[] {
    const { context, prelude } = this.#guest;
    this.#clock.start(100);
    const taken = context.callFunction(prelude.takeLogs, context.undefined);
    if (taken.error !== undefined) return [];
    const { logs, dropped } = JSON.parse(context.getString(taken.value)) as { logs: SandboxLog[]; dropped: number };
    if (dropped > 0) logs.push({ level: "warning", message: `${dropped} further log messages were dropped` });
    return logs;
  }
}

/**
 * What the programs of a task have used together: a thousand of them must not occupy the child a thousand times as
 * long.
 */
class TaskTotal {
  readonly #limits: TaskMessage["limits"];
  #cpuMs = 0;
  #resultBytes = 0;

  constructor(limits: TaskMessage["limits"]) {
    this.#limits = limits;
  }

  add(cpuMs: number, result?: SandboxResult): void {
    this.#cpuMs += cpuMs;
    if (result?.ok) this.#resultBytes += result.json.length;
  }

  refusal(): SandboxResult | undefined {
    const { cpuMs, resultBytes } = this.#limits;
    if (this.#cpuMs >= programsOfTask.cpu * cpuMs) return overTaskCpu(programsOfTask.cpu * cpuMs);
    if (this.#resultBytes > programsOfTask.results * resultBytes) {
      return overTaskResults(programsOfTask.results * resultBytes);
    }
    return undefined;
  }
}

const notOne = {
  expression: "this is not one expression",
  body: "this is not the body of a function",
} as const;

function keyOf(program: SandboxProgram, names: readonly string[]): string {
  return `${program.kind[0]}${names.join(",")}\n${program.source}`;
}

function typeOfJson(json: string): string {
  const types: Record<string, string> = {
    '"': "string",
    "{": "object",
    "[": "array",
    t: "boolean",
    f: "boolean",
    n: "null",
  };
  return types[json[0] ?? ""] ?? "number";
}

let randomValues = new Int32Array(0);
let nextWord = 0;

/** Random seeds for the guest's Math.random, drawn from the system a few hundred at a time. */
function randomPair(): [number, number] {
  if (nextWord + 2 > randomValues.length) {
    // Loaded with the first task: most children that start never get one.
    const { randomBytes } = process.getBuiltinModule("node:crypto");
    randomValues = new Int32Array(new Uint8Array(randomBytes(2048)).buffer);
    nextWord = 0;
  }
  nextWord += 2;
  return [randomValues[nextWord - 2] ?? 1, randomValues[nextWord - 1] ?? 1];
}
