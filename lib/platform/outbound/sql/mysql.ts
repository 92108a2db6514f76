import { isIP, type Socket } from "node:net";
import type mysql from "mysql2";
import type { Deadline } from "../deadline.ts";
import { OutboundError } from "../outbound-error.ts";
import { guardStreams } from "./guard-streams.ts";
import { type RowCollector, type SqlAnswer, type SqlConnection, SqlRefused, type SqlServer } from "./sql-server.ts";

/** Signs in to a MySQL or MariaDB over a connected socket. Throws SqlRefused, OutboundError. */
export async function connectMysql(server: SqlServer, socket: Socket, deadline: Deadline): Promise<SqlConnection> {
  const { host, port, database, username: user, password, security, ca } = server;
  const account = { user, password, database };
  if (security === "tls" && isIP(host.replace(/^\[|\]$/g, "")) !== 0) {
    socket.destroy();
    // The driver would accept a certificate for localhost for any IP address.
    const message = `A certificate is for a name, and ${host} is an address: write the server's name, or set security to unverified`;
    throw new OutboundError("TLS", message);
  }
  const failed = new Promise<never>((_, reject) => {
    socket.once("close", () => reject(new OutboundError("RESET", `The connection was lost (${host})`)));
  });
  failed.catch(() => {});
  guardStreams({ stream: socket });
  // Loaded on first use: it would take 40 ms of every start.
  const { default: driver } = await import("mysql2");
  const connection = driver.createConnection({
    ...account,
    host: host.replace(/^\[|\]$/g, ""),
    port,
    stream: socket,
    ...(security === "none"
      ? {}
      : {
          ssl: {
            rejectUnauthorized: security === "tls",
            verifyIdentity: security === "tls",
            ...(ca === undefined ? {} : { ca }),
          },
        }),
    // No server may request files, and a query is a single statement.
    flags: ["-LOCAL_FILES"],
    multipleStatements: false,
    dateStrings: true,
    jsonStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: false,
    charset: "utf8mb4",
  });
  guardStreams(connection);
  // Without a listener, an error of an idle connection would end the process.
  connection.on("error", () => {});
  const connected = new Promise<void>((resolve, reject) => {
    connection.connect((error) => (error ? reject(error) : resolve()));
  });
  try {
    await deadline.race(Promise.race([connected, failed]));
  } catch (error) {
    connection.destroy();
    socket.destroy();
    throw deadline.signal.aborted ? deadline.signal.reason : translated(error, host);
  }
  return {
    async run({ text, values }, rows) {
      try {
        return await Promise.race([execute(connection, text, [...values], rows), failed]);
      } catch (error) {
        throw translated(error, host);
      }
    },
    // The server notices the closed connection when it sends something.
    cancel: async () => {},
    reset: () =>
      new Promise((resolve, reject) => connection.changeUser(account, (error) => (error ? reject(error) : resolve()))),
    close: () => {
      connection.destroy();
      socket.destroy();
    },
    onEnd: (listener) => void socket.once("close", listener),
  };
}

/** As a prepared statement: values are sent separately from the text. */
function execute(
  connection: mysql.Connection,
  text: string,
  values: unknown[],
  rows: RowCollector,
): Promise<Omit<SqlAnswer, "rows">> {
  return new Promise((resolve, reject) => {
    let done: { rowCount: number; insertId?: number | string } | undefined;
    const command = connection.execute(text, values as string[]);
    command.on("result", (row: mysql.RowDataPacket | mysql.ResultSetHeader) => {
      // A row may have a column named `constructor`.
      if (Object.getPrototypeOf(row)?.constructor.name === "ResultSetHeader") {
        const { affectedRows, insertId } = row as mysql.ResultSetHeader;
        done ??= { rowCount: affectedRows, ...(insertId === 0 ? {} : { insertId }) };
        return;
      }
      try {
        rows.add(row as Record<string, unknown>);
      } catch (error) {
        reject(error);
      }
    });
    command.on("error", reject);
    command.on("end", () => resolve(done ?? { rowCount: rows.rows.length }));
  });
}

const signIn: ReadonlySet<string> = new Set([
  ...["ER_ACCESS_DENIED_ERROR", "ER_DBACCESS_DENIED_ERROR", "ER_BAD_DB_ERROR", "ER_HOST_NOT_PRIVILEGED"],
  ...["ER_ACCESS_DENIED_NO_PASSWORD_ERROR", "AUTH_SWITCH_PLUGIN_ERROR"],
]);

function translated(error: unknown, host: string): unknown {
  if (error instanceof SqlRefused || error instanceof OutboundError || !(error instanceof Error)) return error;
  const { code = "", sqlState, sqlMessage } = error as { code?: string; sqlState?: string; sqlMessage?: string };
  if (code === "HANDSHAKE_NO_SSL_SUPPORT" || code === "HANDSHAKE_SSL_ERROR" || /CERT|TLS|SSL/.test(code)) {
    return new OutboundError("TLS", `No secure connection could be made (${host})`, { cause: error });
  }
  if (sqlState !== undefined && sqlMessage !== undefined) {
    return new SqlRefused(signIn.has(code) ? "SQL_SIGN_IN" : "SQL_FAILED", sqlMessage, sqlState);
  }
  if (signIn.has(code)) return new SqlRefused("SQL_SIGN_IN", `${host} did not accept the user name and password`);
  if (error instanceof TypeError || code === "ER_MALFORMED_PACKET") {
    return new OutboundError("BAD_RESPONSE", `The database gave no proper answer (${host})`, { cause: error });
  }
  return new OutboundError("RESET", `The connection was lost (${host})`, { cause: error });
}
