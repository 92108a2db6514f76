// Detects a database that answers a probe while many statements fail: behind a pooler that loses statements, with
// tables that lack a migration, or while connections keep breaking.
import { EventEmitter } from "node:events";
import type pg from "pg";
import { logLine } from "../log.ts";
import { singleton } from "../singleton.ts";

const windowMs = 60_000;
const slices = 12;
const failedMin = 3;
const shareMin = 0.01;

/**
 * Refusals that say nothing about the database's health: data, constraints, serialization, limits, our own triggers.
 */
const refusal = /^(22|23|40|44|54|P0|57014|55P03|42501)/;

interface Slice {
  readonly number: number;
  done: number;
  failed: number;
}

/** Counts statements of the last minute. */
export class StatementHealth {
  #slices: Slice[] = [];

  note(outcome: "done" | "failed", now: number): void {
    const number = Math.floor(now / (windowMs / slices));
    let last = this.#slices.at(-1);
    if (last?.number !== number) {
      last = { number, done: 0, failed: 0 };
      this.#slices = [...this.#slices.filter((slice) => slice.number > number - slices), last];
    }
    last[outcome] += 1;
  }

  /** True if several of the last minute's statements failed, and at least one in a hundred. */
  isFailing(now: number): boolean {
    const number = Math.floor(now / (windowMs / slices));
    const recent = this.#slices.filter((slice) => slice.number > number - slices);
    const failed = recent.reduce((sum, slice) => sum + slice.failed, 0);
    const done = recent.reduce((sum, slice) => sum + slice.done, 0);
    return failed >= failedMin && failed >= shareMin * (failed + done);
  }
}

const health = () => singleton("statement-health", () => new StatementHealth());

/**
 * Counts the outcomes of all statements on this pool's connections. A connection closed while idle is not a failure:
 * poolers and firewalls do that.
 */
export function watchStatements(pool: pg.Pool): void {
  const used = new WeakSet<pg.PoolClient>();
  pool.on("acquire", (client) => used.add(client));
  pool.on("release", (_, client) => used.delete(client));
  pool.on("connect", (client) => {
    const failed = () => {
      if (used.has(client)) health().note("failed", performance.now());
    };
    client.on("error", failed);
    const connection: unknown = Reflect.get(client, "connection");
    if (!(connection instanceof EventEmitter)) return;
    connection.on("commandComplete", () => health().note("done", performance.now()));
    // Prepended, because the driver returns the connection to the pool at once.
    connection.prependListener("errorMessage", (error: { code?: string }) => {
      if (!refusal.test(error.code ?? "")) failed();
      if (lacking.test(error.code ?? "")) logTrouble(error);
    });
  });
}

/** What an operator must act on, whether or not anybody calls: no space, memory or connections left, and read-only. */
const lacking = /^(53|25006)/;
/** Conflicts of transactions, which are repeated, and lost statements of a pooler, which have a line of their own. */
const ordinary = /^(40|26000|42P05)/;

const loggedAt = () => singleton("trouble-logged-at", () => new Map<string, number>());

/** Logs why the database cannot be used, each reason once a minute. */
export function logTrouble(error: unknown): void {
  const { code, message } = (error ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof code === "string" && ordinary.test(code)) return;
  const reason = typeof code === "string" ? code : `${message}`;
  const now = performance.now();
  const logged = loggedAt();
  for (const [other, at] of logged) if (now - at >= windowMs) logged.delete(other);
  if (logged.has(reason)) return;
  logged.set(reason, now);
  // Prisma's messages begin with the call, which may show data, and end with the reason.
  logLine("warning", "The database cannot be used", { code, reason: `${message}`.trim().split("\n").at(-1) });
}

/** Whether this process's statements keep failing. */
export function statementsFail(): boolean {
  return health().isFailing(performance.now());
}
