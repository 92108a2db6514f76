// A MariaDB for tests, with TLS if openssl is available. Installs Debian's package if possible.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { canInstallPackages, installPackages } from "../../scripts/testing/debian-packages.ts";
import { makeCertificate, type TestCertificate } from "./certificates.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./server.ts";
import { isGreeting } from "./socket-server.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

export interface MariaDb {
  readonly port: number;
  readonly database: string;
  readonly username: string;
  readonly password: string;
  /** Its certificate for localhost and the signing authority, as PEM; null without TLS. */
  readonly certificate: TestCertificate | null;
  stop(): Promise<void>;
}

const program = "/usr/sbin/mariadbd";
const account = { database: "shop", username: "shop", password: "open-sesame" } as const;

/** Null if it is missing and cannot be installed: tests report that and skip. */
export async function startMariaDb(): Promise<MariaDb | null> {
  if (!existsSync(program) && canInstallPackages()) {
    console.log("Installing MariaDB…");
    installPackages("mariadb-server-core");
  }
  if (!existsSync(program)) {
    console.log("There is no MariaDB, and only root can install Debian's mariadb-server-core: its tests are skipped");
    return null;
  }
  const directory = temporaryDirectory();
  const data = join(directory, "data");
  const { username: user } = userInfo();
  const options = ["--no-defaults", `--datadir=${data}`, `--user=${user}`, "--innodb-buffer-pool-size=16M"];
  mkdirSync(data);
  const made = spawnSync(program, [...options, "--bootstrap"], { input: systemTables() });
  if (made.status !== 0) throw new Error(`MariaDB could not be prepared: ${made.stderr}`);
  const { database, username, password } = account;
  writeFileSync(
    join(directory, "init.sql"),
    `CREATE DATABASE ${database};\nCREATE USER '${username}'@'%' IDENTIFIED BY '${password}';\nGRANT ALL ON ${database}.* TO '${username}'@'%';\n`,
  );
  const port = await freePort();
  const certificate = makeCertificate(directory);
  const server = spawn(
    program,
    [
      ...options,
      ...["--bind-address=127.0.0.1", `--port=${port}`],
      ...[`--socket=${join(directory, "socket")}`, `--pid-file=${join(directory, "pid")}`],
      ...[`--init-file=${join(directory, "init.sql")}`, "--innodb-flush-log-at-trx-commit=0"],
      ...(certificate
        ? [`--ssl-cert=${join(directory, "server.pem")}`, `--ssl-key=${join(directory, "server.key")}`]
        : []),
    ],
    { stdio: "ignore" },
  );
  const ended = once(server, "exit");
  await eventually("MariaDB answers", () => isGreeting(port), 60_000);
  return {
    ...account,
    port,
    certificate,
    stop: async () => {
      server.kill("SIGKILL");
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Creates the system tables; the usual program for that is in a package with many dependencies. */
function systemTables(): string {
  const names = ["system_tables", "performance_tables", "system_tables_data"].map((name) => `mysql_${name}.sql`);
  const files = [...names, "maria_add_gis_sp_bootstrap.sql"].map((name) =>
    readFileSync(`/usr/share/mysql/${name}`, "utf8"),
  );
  return [
    "create database mysql;",
    "use mysql;",
    "SET @auth_root_socket=NULL;",
    "SET @skip_auth_anonymous=1;",
    ...files,
  ].join("\n");
}
