import { isSqlServer, sqliteFileOf, sqlServerOf } from "#lib/credentials/credential-servers.ts";
import { parseJsonInTurns, TooDeep } from "#lib/json/parse-json.ts";
import { levelsMax, NodeFailure, type SqlAnswer, type SqlRequest, tooDeep } from "#lib/nodes/define.ts";
import { hostFailure, mayBeSentTo } from "#lib/nodes/http-request/apply-credential.ts";
import { placeParameters, valuesInPlace } from "#lib/nodes/sql/named-parameters.ts";
import { env } from "#lib/platform/env.ts";
import type { Outbound } from "#lib/platform/outbound/outbound.ts";
import { yieldTurn } from "#lib/platform/turns.ts";

const placeholders = { postgres: "numbered", mysql: "question", mssql: "named", sqlite: "sqlite" } as const;

/**
 * Runs a node's statement. Throws NodeFailure: SQL_FAILED, SQL_SIGN_IN, SQL_TOO_MANY_ROWS, SQL_TOO_LARGE, SQL_FILE,
 * CREDENTIAL_TYPE, CREDENTIAL_HOST, and the codes of OutboundError.
 */
export async function runSql(
  { outbound, workspaceId }: { readonly outbound: Outbound; readonly workspaceId: string },
  { credential, query, parameters, timeoutMs, rowsMax }: SqlRequest,
  signal: AbortSignal,
): Promise<SqlAnswer> {
  const { name, type, data, allowedHosts } = credential;
  const { host = "" } = data;
  if (!isSqlServer(type) && type !== "sqlite") {
    const message = `The credential "${name}" cannot be used here: it is of type ${type}, not postgres, mysql, mssql or sqlite`;
    throw new NodeFailure("CREDENTIAL_TYPE", message, { field: "credential" });
  }
  if (type !== "sqlite" && !mayBeSentTo(allowedHosts, host)) {
    throw new NodeFailure("CREDENTIAL_HOST", hostFailure(name, allowedHosts, host), { field: "credential" });
  }
  const { text, names } = placeParameters(query, placeholders[type]);
  const values = valuesInPlace(names, parameters);
  try {
    const server = type === "sqlite" ? sqliteFileOf(workspaceId, data) : sqlServerOf(type, data);
    const bytesMax = env().outputs.oneBytes;
    const answer = await outbound.query(
      server,
      { text, values, rowsMax, bytesMax },
      { workspaceId, timeoutMs, signal },
    );
    return { ...answer, rows: await withJson(answer.rows) };
  } catch (error) {
    throw failureOf(error);
  }
}

/** Parses JSON columns without blocking the event loop. */
async function withJson(rows: SqlAnswer["rows"]): Promise<SqlAnswer["rows"]> {
  const read: Record<string, unknown>[] = [];
  for (const row of rows) {
    const cells = Object.entries(row);
    for (const cell of cells) if (isJson(cell[1])) cell[1] = await parsedCell(cell[1].text);
    read.push(Object.fromEntries(cells));
    await yieldTurn();
  }
  return read;
}

function isJson(value: unknown): value is { readonly text: string } {
  return typeof value === "object" && value !== null && "isJsonCell" in value;
}

async function parsedCell(text: string): Promise<unknown> {
  try {
    return await parseJsonInTurns(text, levelsMax);
  } catch (error) {
    if (error instanceof TooDeep) throw tooDeep("output");
    return text;
  }
}

/** Compares names: other bundles have copies of these classes. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  if (error.name === "SqlRefused") {
    const state = "state" in error && typeof error.state === "string" ? ` (SQLSTATE ${error.state})` : "";
    return new NodeFailure(String(error.code), `${error.message}${state}`, { cause: error });
  }
  if (error.name !== "OutboundError") return error;
  return new NodeFailure(String(error.code), `The statement was not run: ${error.message}`, { cause: error });
}
