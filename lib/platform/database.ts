import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { AppError } from "#lib/errors.ts";
import { closeIdleConnections } from "./after-answer.ts";
import { closeSilentConnections } from "./database/silent-connections.ts";
import { logTrouble, watchStatements } from "./database/statement-health.ts";
import { env } from "./env.ts";
import { logLine } from "./log.ts";
import { PrismaClient } from "./prisma/client.ts";
import { singleton } from "./singleton.ts";

// A connection keeps a prepared statement's plan, even one made while the tables were almost empty and a sequential
// scan was cheapest. Every statement here finds its rows by an index. A process that stops during a transaction, because
// its machine sleeps or loses its network, keeps its locks: without a limit, all other processes wait for it. Not set
// behind a pooler: there, nothing is prepared, and the settings would leak to a connection that others use too.
const sessionSettings = "SET enable_seqscan = off; SET idle_in_transaction_session_timeout = '30s'";

/** The pool under Prisma and under hand-written statements. */
export function pool(): pg.Pool {
  return singleton("pool", () => {
    const idleMs = env().isFunction ? 5_000 : 60_000;
    const made = new pg.Pool({
      connectionString: env().databaseUrl,
      max: env().databaseConnections,
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: idleMs,
      keepAlive: true,
      application_name: "millrace",
      verify: (client, done) => (preparing().isOn ? client.query(sessionSettings, done) : done()),
    });
    // The pool drops an idle connection that breaks; without a listener the error would end the process.
    made.on("error", () => {});
    // The same for a connection that breaks while in use, between two statements of a transaction: this listens, counts
    // it, and the next statement fails.
    watchStatements(made);
    closeSilentConnections(made, env().databaseUrl);
    if (env().isFunction) closeIdleConnections(made, idleMs);
    return made;
  });
}

export function database(): PrismaClient {
  return singleton("database", () => new PrismaClient({ adapter: new PrismaPg(pool()) }));
}

/** The beginnings of error codes that mean the database is temporarily unavailable. */
const transientCodes = startingWith(
  // PostgreSQL's SQLSTATE: connections, shutdown, resources, lost statements of a pooler, conflicts of transactions.
  ...["08", "57P0", "53", "25006", "25P03", "26000", "42P05", "40001", "40P01"],
  // The network.
  ...["ECONN", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"],
  // Prisma.
  ...["P1001", "P1002", "P1008", "P1017", "P2024", "P2028", "P2034", "P2037"],
);
/** The same as messages: a driver's error about a broken connection often has no code. */
const transientMessages = anyOf(
  ...["Connection terminated", "Client has encountered a connection error", "Client was closed and is not queryable"],
  ...["timeout exceeded when trying to connect", "establishing an SSL connection", "Can't reach database server"],
  ...["Server has closed the connection", "TlsConnectionError", "ConnectionClosed", "DatabaseNotReachable"],
  ...["SocketTimeout", "TooManyConnections", "TransactionWriteConflict"],
  // A Unix socket whose server is away, or has too many callers waiting.
  ...["connect ENOENT", "connect EAGAIN"],
);

function startingWith(...beginnings: readonly string[]): RegExp {
  return new RegExp(`^(?:${beginnings.join("|")})`);
}

function anyOf(...texts: readonly string[]): RegExp {
  return new RegExp(texts.join("|"));
}

const causesMax = 5;

/** A statement too large for PostgreSQL, which would close the connection as in an outage. */
class StatementTooLarge extends Error {
  override readonly name = "StatementTooLarge";
}

/** PostgreSQL accepts messages and values of up to 1 GiB; the overhead is an estimate. */
const statementBytesMax = 900_000_000;

function checkSize(values: readonly unknown[]): void {
  let bytes = 0;
  for (const value of values) if (typeof value === "string" || Buffer.isBuffer(value)) bytes += value.length;
  if (bytes > statementBytesMax) throw new StatementTooLarge(`the statement has ${bytes} bytes, too many to send`);
}

/**
 * True if a statement is refused for its content and would be refused again: SQLSTATE classes 22 and 54, a statement
 * too large to send or build, and JavaScript's RangeError for text that is too long or JSON nested too deeply.
 */
export function isRefused(error: unknown): boolean {
  if (error instanceof StatementTooLarge || error instanceof RangeError) return true;
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return (
    /^(22|54)\w{3}$/.test(code) ||
    code === "ERR_STRING_TOO_LONG" ||
    /invalid message length|invalid memory alloc request size/.test(error.message)
  );
}

/** True if the database could not be reached or is starting, stopping or full: the same call may succeed later. */
export function isUnavailable(error: unknown, depth = 0): boolean {
  if (typeof error !== "object" || error === null || depth > causesMax || isRefused(error)) return false;
  const { code, errorCode, originalCode, message, kind, cause, errors, meta } = error as Readonly<
    Record<string, unknown>
  >;
  if ([code, errorCode, originalCode].some((given) => typeof given === "string" && transientCodes.test(given)))
    return true;
  // Causes reported by Prisma's driver are not Error objects but have a kind.
  const text = error instanceof Error ? message : kind;
  if (typeof text === "string" && transientMessages.test(text)) return true;
  const within = [cause, meta, ...(Array.isArray(errors) ? errors : [])];
  if (typeof meta === "object" && meta !== null && "driverAdapterError" in meta) within.push(meta.driverAdapterError);
  return within.some((part) => isUnavailable(part, depth + 1));
}

/** The log level of an error: an unavailable database is not our bug. */
export function levelOf(error: unknown): "warning" | "error" {
  return isUnavailable(error) ? "warning" : "error";
}

/** True if a row was refused because its key already exists (SQLSTATE 23505). */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "23505";
}

/** The caller's error when the database cannot be reached; the log says why. */
export function unavailable(cause: unknown): AppError {
  logTrouble(cause);
  return new AppError("SERVICE_UNAVAILABLE", "The service cannot use its database at the moment; try again shortly", {
    retryAfterSeconds: 5,
    cause,
  });
}

/** Whether statements are prepared: yes, until an undeclared pooler is detected. */
const preparing = () => singleton("preparing", () => ({ isOn: env().preparesStatements }));

function preparedAs(name: string): { name?: string } {
  return preparing().isOn ? { name } : {};
}

/**
 * True if a statement did not run because the connection had not prepared it, or had prepared it already: a pooler then
 * hands each transaction to another connection, and nothing is prepared from then on.
 */
function isLostToPooler(error: unknown): boolean {
  if (!(error instanceof Error && "code" in error && (error.code === "26000" || error.code === "42P05"))) return false;
  if (preparing().isOn) {
    logLine(
      "warning",
      "DATABASE_URL leads to a pooler of transactions: statements are not prepared. Say so: ?pgbouncer=true",
    );
  }
  preparing().isOn = false;
  return true;
}

/** Runs one statement on the pool; prepared, unless there is a pooler. */
export async function query<Row extends pg.QueryResultRow>(
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  checkSize(values);
  const run = async () => (await pool().query<Row>({ ...preparedAs(name), text, values: [...values] })).rows;
  try {
    return await run();
  } catch (error) {
    if (!isLostToPooler(error)) throw error;
    return await run();
  }
}

/** Runs one statement without a cached plan, if its best plan depends on its values. */
export async function queryPlanned<Row extends pg.QueryResultRow>(
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const result = await pool().query<Row>(text, [...values]);
  return result.rows;
}

/** Runs a statement: `query`, or its equivalent inside a transaction. */
export type RunStatement = typeof query;

/** The same inside a Prisma transaction. */
export function statementsOf(tx: Pick<PrismaClient, "$queryRawUnsafe">): RunStatement {
  return async <Row extends pg.QueryResultRow>(_: string, text: string, values: readonly unknown[]) =>
    await tx.$queryRawUnsafe<Row[]>(text, ...values);
}

/** Runs statements on one connection as one transaction. Any failure discards the connection. */
export async function inTransaction<T>(work: (run: RunStatement, client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool().connect();
  const run: RunStatement = async <Row extends pg.QueryResultRow>(
    name: string,
    text: string,
    values: readonly unknown[],
  ) => {
    checkSize(values);
    return (await client.query<Row>({ ...preparedAs(name), text, values: [...values] })).rows;
  };
  try {
    await client.query("BEGIN");
    const result = await work(run, client);
    await client.query("COMMIT");
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    isLostToPooler(error);
    throw error;
  }
}

/** Runs a statement, without a cached plan, after all others that use this lock: it sees what they wrote. */
export function queryUnderLock<Row extends pg.QueryResultRow>(
  lock: bigint,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return inTransaction(async (_, client) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [lock]);
    return (await client.query<Row>(text, [...values])).rows;
  });
}
