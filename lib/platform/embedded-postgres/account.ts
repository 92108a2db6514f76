// PostgreSQL refuses to run as root, so it runs as another account, which must be able to reach its files.

import { spawnSync } from "node:child_process";
import { userInfo } from "node:os";
import { DatabaseError } from "#lib/errors.ts";

/** The account that PostgreSQL runs as, as `spawn` takes it; empty for this process's own. */
export type Account = { uid?: number; gid?: number };

export function databaseAccount(): Account {
  if (process.platform === "win32" || userInfo().uid !== 0) return {};
  const existing = accountNamed("postgres");
  if (existing) return existing;
  spawnSync("useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", "postgres"]);
  const account = accountNamed("postgres") ?? accountNamed("nobody");
  if (account) return account;
  throw new DatabaseError(
    "PostgreSQL cannot run as root, and no account named postgres could be made: set DATABASE_URL",
  );
}

/** Whether the account can enter the directory and all its parents, according to the system itself. */
export function canReach(account: Account, directory: string): boolean {
  if (account.uid === undefined) return true;
  const { status } = spawnSync("sh", ["-c", 'cd "$1"', "sh", directory], { ...account, cwd: "/", stdio: "ignore" });
  return status === 0;
}

function accountNamed(name: string): Account | undefined {
  const ids = ["-u", "-g"].map((option) => spawnSync("id", [option, name], { encoding: "utf8" }));
  const [uid, gid] = ids.map(({ status, stdout }) => (status === 0 ? Number(stdout) : undefined));
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}
