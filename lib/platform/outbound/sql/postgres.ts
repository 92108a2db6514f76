import type { Socket } from "node:net";
import { type ConnectionOptions, checkServerIdentity } from "node:tls";
import pg from "pg";
import type { Deadline } from "../deadline.ts";
import { OutboundError } from "../outbound-error.ts";
import { guardStreams } from "./guard-streams.ts";
import {
  JsonCell,
  type OpenSocket,
  type RowCollector,
  type SqlConnection,
  SqlRefused,
  type SqlServer,
} from "./sql-server.ts";

const { builtins } = pg.types;
/** Types kept as text, because JavaScript has no such values: dates, times of day, and times without a zone. */
const asText: ReadonlySet<number> = new Set([
  builtins.DATE,
  builtins.TIME,
  builtins.TIMETZ,
  builtins.TIMESTAMP,
  builtins.INTERVAL,
]);

const asJson: ReadonlySet<number> = new Set([builtins.JSON, builtins.JSONB]);
/** Longer values of other types, such as lists, stay text: parsing them takes long. */
const readCharactersMax = 65_536;

function parserOf(type: number, format?: "text" | "binary") {
  if (asText.has(type)) return (text: string) => text;
  if (asJson.has(type)) return (text: string) => new JsonCell(text);
  if (type === builtins.INT8) return (text: string) => BigInt(text);
  const read = pg.types.getTypeParser(type, format as "text");
  return (text: string) => (text.length > readCharactersMax && type !== builtins.BYTEA ? text : read(text));
}

/** Fields of pg's client that its types lack, needed to cancel a statement. */
interface Cancellable {
  readonly processID: number | null;
  readonly secretKey: number | null;
}

const cancelCode = 80_877_102;
const cancelMs = 2_000;

/** Signs in to a PostgreSQL over a connected socket. Throws SqlRefused, OutboundError. */
export async function connectPostgres(
  server: SqlServer,
  socket: Socket,
  deadline: Deadline,
  open: OpenSocket,
): Promise<SqlConnection> {
  const { host, port, database, username: user, password, security } = server;
  // The driver calls `connect` on its socket, which is already connected.
  socket.connect = () => {
    process.nextTick(() => socket.emit("connect"));
    return socket;
  };
  const client = new pg.Client({
    host: host.replace(/^\[|\]$/g, ""),
    port,
    database,
    user,
    password,
    stream: () => socket,
    ssl: security === "none" ? false : tlsOptions(server),
    application_name: "millrace",
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  });
  guardStreams((client as unknown as { connection: object }).connection);
  // Without a listener, an error of an idle connection would end the process.
  client.on("error", () => {});
  try {
    await deadline.race(client.connect());
  } catch (error) {
    socket.destroy();
    throw deadline.signal.aborted ? deadline.signal.reason : translated(error, host);
  }
  return {
    async run({ text, values }, rows) {
      try {
        return { rowCount: (await runQuery(client, text, [...values], rows)) ?? 0 };
      } catch (error) {
        throw translated(error, host);
      }
    },
    async cancel() {
      const { processID, secretKey } = client as unknown as Cancellable;
      if (processID === null || secretKey === null) return;
      const request = Buffer.alloc(16);
      for (const [index, number] of [16, cancelCode, processID, secretKey].entries())
        request.writeInt32BE(number, index * 4);
      try {
        const other = await open(deadlineOf(cancelMs));
        other.on("error", () => {}).end(request);
        setTimeout(() => other.destroy(), cancelMs).unref();
      } catch {
        // The server's process exits once it notices the closed connection.
      }
    },
    // Fails in an open transaction, and the connection is then closed.
    reset: async () => void (await client.query("DISCARD ALL")),
    close: () => void socket.destroy(),
    onEnd: (listener) => void client.once("end", listener),
  };
}

/** For an IP address, the driver checks the certificate for `localhost`: this checks the actual host. */
function tlsOptions({ host, security, ca }: SqlServer): ConnectionOptions {
  const name = host.replace(/^\[|\]$/g, "");
  return {
    rejectUnauthorized: security === "tls",
    checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
    ...(ca === undefined ? {} : { ca }),
  };
}

function runQuery(client: pg.Client, text: string, values: unknown[], rows: RowCollector): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query({ text, values, queryMode: "extended" } as pg.QueryConfig);
    query.on("row", (row) => {
      try {
        rows.add(row as Record<string, unknown>);
      } catch (error) {
        reject(error);
      }
    });
    query.on("end", (result) => resolve(result.rowCount)).on("error", reject);
    client.query(query);
  });
}

function deadlineOf(ms: number): Deadline {
  const signal = AbortSignal.timeout(ms);
  return { signal, race: (work) => work, clear: () => {} };
}

/** SQLSTATEs of a refused sign-in. */
const signIn = /^(28|3D000)/;

function translated(error: unknown, host: string): unknown {
  if (error instanceof SqlRefused || error instanceof OutboundError || !(error instanceof Error)) return error;
  const { code, hint } = error as { code?: string; hint?: string };
  if (error instanceof pg.DatabaseError) {
    const state = code ?? null;
    const message = hint === undefined ? error.message : `${error.message} (${hint})`;
    return new SqlRefused(signIn.test(state ?? "") ? "SQL_SIGN_IN" : "SQL_FAILED", message, state);
  }
  if (/SSL|certificate|altnames/i.test(error.message) || /CERT|SSL|TLS/.test(code ?? "")) {
    return new OutboundError("TLS", `No secure connection could be made (${host})`, { cause: error });
  }
  if (/SASL|password/i.test(error.message))
    return new SqlRefused("SQL_SIGN_IN", `${host} did not accept the user name and password`);
  return new OutboundError("RESET", `The connection was lost (${host})`, { cause: error });
}
