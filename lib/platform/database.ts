import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { AppError } from "#lib/errors.ts";
import { env } from "./env.ts";
import { PrismaClient } from "./prisma/client.ts";
import { singleton } from "./singleton.ts";

// A connection keeps a statement's plan, also one made while the tables were almost empty and reading all of them was
// cheapest. Every statement here finds its rows by an index.
const noWholeTables = "SET enable_seqscan = off";

/** The pool under Prisma and under the few statements that are written by hand. */
export function pool(): pg.Pool {
  return singleton("pool", () => {
    const made = new pg.Pool({
      connectionString: env().databaseUrl,
      max: env().databaseConnections,
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      application_name: "millrace",
      verify: (client, done) => client.query(noWholeTables, done),
    });
    // An idle connection that breaks is dropped by the pool; without a listener it would end the process.
    made.on("error", () => {});
    return made;
  });
}

export function database(): PrismaClient {
  return singleton("database", () => new PrismaClient({ adapter: new PrismaPg(pool()) }));
}

/** Classes and codes of SQLSTATE and of the network that say: the database is not there now, try again. */
const passing =
  /^(08|57P0|53|25006|40001|40P01|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|P1001|P1002|P1008|P1017|P2024)/;

/** True when the database could not be reached or is starting, stopping or full: the same call may succeed later. */
export function isUnavailable(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const code = "code" in at ? String(at.code) : "";
    if (passing.test(code)) return true;
    if (/Connection terminated|timeout exceeded when trying to connect|Can't reach database server/.test(at.message)) {
      return true;
    }
    if ("errors" in at && Array.isArray(at.errors) && at.errors.some(isUnavailable)) return true;
  }
  return false;
}

/** True when a row was refused because one with its key is there already (SQLSTATE 23505). */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "23505";
}

/** What a caller is told when the database cannot be reached. */
export function unavailable(cause: unknown): AppError {
  return new AppError("SERVICE_UNAVAILABLE", "The service cannot reach its database; try again shortly", {
    retryAfterSeconds: 5,
    cause,
  });
}

/** Runs one statement on the pool; prepared, unless a pooler in between would not know it again. */
export async function query<Row extends pg.QueryResultRow>(
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const result = await pool().query<Row>({ ...(env().preparesStatements ? { name } : {}), text, values: [...values] });
  return result.rows;
}

/** Runs one statement that is planned anew for its values: for those whose best plan depends on them. */
export async function queryPlanned<Row extends pg.QueryResultRow>(
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const result = await pool().query<Row>(text, [...values]);
  return result.rows;
}

/** The same, one after the other among all that name this lock: each sees what those before it wrote. */
export async function queryUnderLock<Row extends pg.QueryResultRow>(
  lock: bigint,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const client = await pool().connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [lock]);
    const result = await client.query<Row>(text, [...values]);
    await client.query("COMMIT");
    client.release();
    return result.rows;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
