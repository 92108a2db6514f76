import type { Socket } from "node:net";
import type { Connection, Request } from "tedious";
import type { Deadline } from "../../deadline.ts";
import { OutboundError, translateError } from "../../outbound-error.ts";
import { guardStreams } from "../guard-streams.ts";
import {
  type RowCollector,
  type SqlAnswer,
  type SqlConnection,
  SqlRefused,
  type SqlServer,
  type SqlStatement,
  type SqlValue,
  tooLarge,
} from "../sql-server.ts";
import { type Column, cellOf, readExactNumbers } from "./cells.ts";

type Driver = typeof import("tedious");

/** Longer than any deadline, which ends the work first. */
const never = 2_000_000_000;
/** How many messages of a refused sign-in are shown, and how many of a statement are read. */
const messagesMax = { kept: 3, read: 100 } as const;
/** SQL Server's limit: more columns are invalid. */
const columnsMax = 4_096;
/** Cells to parse per turn of the event loop: a row of nulls takes almost no bytes. */
const cellsPerTurn = 10_000;

/** Loads the driver on first use. */
async function load(): Promise<Driver> {
  await readExactNumbers();
  return await import("tedious");
}

/** Signs in to a SQL Server over a connected socket. Throws SqlRefused, OutboundError. */
export async function connectMssql(server: SqlServer, socket: Socket, deadline: Deadline): Promise<SqlConnection> {
  const { host } = server;
  const driver = await load();
  guardStreams({ stream: socket });
  const connection = connectionOf(driver, server, socket);
  // Without a listener, an error of an idle connection would end the process.
  connection.on("error", () => {});
  const messages: string[] = [];
  const listen = ({ message }: { readonly message: string }) => {
    if (messages.length < messagesMax.kept) messages.push(message);
  };
  connection.on("errorMessage", listen);
  let isSentElsewhere = false;
  connection.once("rerouting", () => {
    isSentElsewhere = true;
  });
  const connected = new Promise<void>((resolve, reject) => {
    connection.connect((error) => (error ? reject(error) : resolve()));
  });
  try {
    await deadline.race(connected);
  } catch (error) {
    connection.close();
    socket.destroy();
    if (deadline.signal.aborted) throw deadline.signal.reason;
    if (isSentElsewhere) throw sentElsewhere(host);
    throw translated(error, host, messages);
  }
  connection.off("errorMessage", listen);
  return {
    async run(statement, rows) {
      try {
        return await runRequest(driver, connection, statement, rows);
      } catch (error) {
        throw translated(error, host);
      }
    },
    // SQL Server stops a connection's statement when the connection is closed.
    cancel: async () => {},
    reset: () => new Promise((resolve, reject) => connection.reset((error) => (error ? reject(error) : resolve()))),
    close: () => {
      connection.close();
      socket.destroy();
    },
    onEnd: (listener) => {
      connection.once("end", listener);
      socket.once("close", listener);
    },
  };
}

function connectionOf({ Connection }: Driver, server: SqlServer, socket: Socket): Connection {
  const { host, port, database, username, password, security, ca } = server;
  let isTaken = false;
  return new Connection({
    server: host.replace(/^\[|\]$/g, ""),
    authentication: { type: "default", options: { userName: username, password } },
    options: {
      port,
      database,
      // Connects only once: a server that redirects would lead to an unchecked address, with the password of this one.
      connector: async () => {
        if (isTaken) throw sentElsewhere(host);
        isTaken = true;
        return socket;
      },
      encrypt: security !== "none",
      trustServerCertificate: security === "unverified",
      cryptoCredentialsDetails: ca === undefined ? {} : { ca },
      appName: "millrace",
      workstationId: "millrace",
      connectTimeout: never,
      requestTimeout: 0,
      maxRetriesOnTransientErrors: 0,
    },
  });
}

/** Uses `sp_executesql`: values are sent separately from the text. */
function runRequest(
  driver: Driver,
  connection: Connection,
  { text, values, bytesMax }: SqlStatement,
  rows: RowCollector,
): Promise<Omit<SqlAnswer, "rows">> {
  return new Promise((resolve, reject) => {
    const request = new driver.Request(text, (error, rowCount) => {
      connection.off("errorMessage", count);
      if (error) reject(error);
      else resolve({ rowCount: results === 0 ? (rowCount ?? 0) : rows.rows.length });
    });
    let results = 0;
    let names: readonly string[] = [];
    let rowBytes = 0;
    let bytes = 0;
    let cells = 0;
    let errors = 0;
    // Throwing in a listener ends the connection, so that nothing more is read.
    const end = (error: Error): never => {
      reject(error);
      throw error;
    };
    const count = () => {
      errors += 1;
      if (errors > messagesMax.read) end(tooLarge(bytesMax));
    };
    connection.on("errorMessage", count);
    request.on("columnMetadata", (columns) => {
      results += 1;
      if (!Array.isArray(columns) || columns.length > columnsMax) return end(tooLarge(bytesMax));
      names = columns.map(({ colName }, index) => (colName === "" ? `column${index + 1}` : colName));
      rowBytes = leastBytes(names);
    });
    request.on("row", (columns: readonly Column[]) => {
      bytes += rowBytes;
      if (bytes > bytesMax) end(tooLarge(bytesMax));
      cells += columns.length;
      if (cells > cellsPerTurn) {
        cells = 0;
        request.pause();
        setImmediate(() => request.resume());
      }
      // Only the first of several results counts.
      if (results > 1) return;
      try {
        rows.add(Object.fromEntries(columns.map((column, index) => [names[index], cellOf(column)])));
      } catch (error) {
        end(error as Error);
      }
    });
    for (const [index, value] of values.entries()) addParameter(driver, request, `p${index + 1}`, value);
    connection.execSql(request);
  });
}

/** The minimum size of a row as JSON: its names, each with quotes, a colon, a comma and a digit. */
function leastBytes(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + name.length + 5, 2);
}

function addParameter({ TYPES }: Driver, request: Request, name: string, value: SqlValue): void {
  if (typeof value === "boolean") request.addParameter(name, TYPES.Bit, value);
  else if (typeof value === "number" && Number.isSafeInteger(value)) {
    const isInt = value >= -2_147_483_648 && value <= 2_147_483_647;
    request.addParameter(name, isInt ? TYPES.Int : TYPES.BigInt, value);
  } else if (typeof value === "number") request.addParameter(name, TYPES.Float, value);
  // One declared length, so that the server can reuse its plan.
  else request.addParameter(name, TYPES.NVarChar, value, (value ?? "").length <= 4_000 ? { length: 4_000 } : {});
}

const sentElsewhere = (host: string) =>
  new OutboundError(
    "CONNECT_FAILED",
    `${host} sends its clients to another address, which is not followed: with Azure SQL, set the connection policy to Proxy`,
  );

/** The driver's codes for a lost connection. */
const lost: ReadonlySet<string> = new Set(["ESOCKET", "ECLOSE", "ECANCEL", "EINVALIDSTATE"]);

function translated(error: unknown, host: string, messages: readonly string[] = []): unknown {
  if (error instanceof AggregateError) return translated(error.errors[0], host, messages);
  if (error instanceof SqlRefused || error instanceof OutboundError || !(error instanceof Error)) return error;
  const { code = "", number } = error as { code?: string; number?: number };
  if (code === "EREQUEST" && number !== undefined) {
    return new SqlRefused("SQL_FAILED", `${error.message} (error ${number})`);
  }
  if (code === "ELOGIN") {
    const message = messages.length > 0 ? messages.join(" ") : `${host} did not accept the user name and password`;
    return new SqlRefused("SQL_SIGN_IN", message);
  }
  if (code === "EENCRYPT")
    return new OutboundError("TLS", `${host} and this credential do not agree on TLS`, { cause: error });
  for (const failure of [error.cause, error]) {
    const known = translateError(failure, host);
    if (known instanceof OutboundError) return known;
  }
  if (lost.has(code)) return new OutboundError("RESET", `The connection was lost (${host})`, { cause: error });
  return new OutboundError("BAD_RESPONSE", `The database gave no proper answer (${host})`, { cause: error });
}
