import { join, resolve } from "node:path";
import { env } from "#lib/platform/env.ts";
import type { ImapServer } from "#lib/platform/outbound/imap/imap-server.ts";
import type { MailServer } from "#lib/platform/outbound/outbound-mail.ts";
import { type SqliteFile, SqlRefused, type SqlServer } from "#lib/platform/outbound/sql/sql-server.ts";

type Data = Readonly<Record<string, string>>;

const sqlPorts: Readonly<Record<SqlServer["kind"], number>> = { postgres: 5_432, mysql: 3_306, mssql: 1_433 };

/** Whether credentials of this type are for a database server. */
export function isSqlServer(type: string): type is SqlServer["kind"] {
  return Object.hasOwn(sqlPorts, type);
}

/** The database and the account of a credential. */
export function sqlServerOf(kind: SqlServer["kind"], data: Data): SqlServer {
  const { host = "", database = "", username = "", password = "", security, ca } = data;
  return {
    kind,
    host,
    port: Number(data.port ?? sqlPorts[kind]),
    database,
    username,
    password,
    security: (["unverified", "none"] as const).find((mode) => mode === security) ?? "tls",
    ca,
  };
}

/** A credential's file, in the folder of its workspace. Throws SqlRefused if files are not kept on this disk. */
export function sqliteFileOf(workspaceId: string, { file = "", access }: Data): SqliteFile {
  const { isFunction, dataDir, files } = env();
  if (isFunction || files.bucket !== undefined) {
    const message =
      "SQLite needs a disk that the servers share: here, files are kept in a bucket or functions have no disk";
    throw new SqlRefused("SQL_FILE", message);
  }
  return {
    kind: "sqlite",
    folder: join(resolve(dataDir, "files"), "databases", workspaceId),
    file,
    access: (["create", "read"] as const).find((level) => level === access) ?? "write",
    bytesMax: files.workspaceBytes,
  };
}

/** The mail server and the account of a credential. */
export function mailServerOf({ host = "", port = "", username, password, security }: Data): MailServer {
  const known = (["tls", "starttls", "none"] as const).find((mode) => mode === security);
  return {
    host,
    port: Number(port),
    security: known ?? (port === "465" ? "tls" : "starttls"),
    username,
    password,
  };
}

/** The IMAP server and the account of a credential. */
export function imapServerOf({
  host = "",
  port,
  username = "",
  password,
  accessToken,
  security,
  ca,
}: Data): ImapServer {
  const known = (["starttls", "none"] as const).find((mode) => mode === security) ?? "tls";
  return {
    host,
    port: Number(port ?? (known === "tls" ? 993 : 143)),
    security: known,
    username,
    password,
    accessToken,
    ca,
  };
}
