// A Dovecot for tests: a real IMAP server. Installs Debian's package if possible.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { canInstallPackages, installPackages } from "../../scripts/testing/debian-packages.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./server.ts";
import { isGreeting } from "./socket-server.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

export interface Dovecot {
  readonly port: number;
  readonly securePort: number;
  readonly username: string;
  readonly password: string;
  /** The authority that signed its certificate for localhost, as PEM; null without openssl. */
  readonly ca: string | null;
  /** Delivers a mail to a mailbox. */
  deliver(raw: string | Buffer, mailbox?: string): void;
  /** How many mails of INBOX are marked as read. */
  seen(): number;
  /** Renumbers INBOX: mails get new UIDs, under another UIDVALIDITY. */
  renumber(uidValidity: number): void;
  stop(): Promise<void>;
}

const program = "/usr/sbin/dovecot";
const account = { username: "shop", password: "open-sesame-1m4p" } as const;

/** Null if it is missing and cannot be installed: tests report that and skip. */
export async function startDovecot(): Promise<Dovecot | null> {
  if (!existsSync(program) && canInstallPackages()) {
    console.log("Installing Dovecot…");
    installPackages("dovecot-imapd");
  }
  if (!existsSync(program) || userInfo().uid !== 0) {
    console.log(
      "There is no Dovecot, and only root can install and start Debian's dovecot-imapd: its tests are skipped",
    );
    return null;
  }
  const directory = temporaryDirectory();
  chmodSync(directory, 0o755);
  const [port, securePort] = [await freePort(), await freePort()];
  const ca = certificateIn(directory);
  const mails = join(directory, "mails");
  const owner = Number(spawnSync("id", ["-u", "nobody"]).stdout.toString());
  for (const folder of ["", "/cur", "/new", "/tmp"]) {
    mkdirSync(`${mails}${folder}`, { recursive: true });
    chownSync(`${mails}${folder}`, owner, -1);
  }
  const config = join(directory, "dovecot.conf");
  writeFileSync(join(directory, "users"), `${account.username}:{PLAIN}${account.password}\n`);
  writeFileSync(config, configOf(directory, mails, owner, port, securePort, ca !== null));
  const server = spawn(program, ["-F", "-c", config], { stdio: "ignore" });
  const ended = once(server, "exit");
  await eventually("Dovecot answers", () => isGreeting(port), 30_000);
  let delivered = 0;
  const doveadm = (...args: string[]) => spawnSync("doveadm", ["-c", config, ...args], { encoding: "utf8" });
  return {
    ...account,
    port,
    securePort,
    ca,
    deliver: (raw, mailbox) => {
      const folder = mailbox === undefined ? mails : join(mails, `.${mailbox}`);
      for (const name of ["", "cur", "new", "tmp"]) {
        mkdirSync(join(folder, name), { recursive: true });
        chownSync(join(folder, name), owner, -1);
      }
      delivered += 1;
      const path = join(folder, "new", `${1_700_000_000 + delivered}.M${delivered}P1.test`);
      writeFileSync(path, raw);
      utimesSync(path, 1_700_000_000 + delivered, 1_700_000_000 + delivered);
      chownSync(path, owner, -1);
    },
    seen: () =>
      Number(doveadm("search", "-u", account.username, "mailbox", "INBOX", "seen").stdout.split("\n").length - 1),
    renumber: (uidValidity) => {
      const done = doveadm("mailbox", "update", "-u", account.username, "--uid-validity", String(uidValidity), "INBOX");
      if (done.status !== 0) throw new Error(done.stderr);
    },
    stop: async () => {
      server.kill("SIGTERM");
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function configOf(
  directory: string,
  mails: string,
  owner: number,
  port: number,
  securePort: number,
  isSecure: boolean,
) {
  return `
protocols = imap
listen = 127.0.0.1
base_dir = ${directory}/run
state_dir = ${directory}/state
log_path = ${directory}/log
ssl = ${isSecure ? "yes" : "no"}
${isSecure ? `ssl_cert = <${directory}/server.pem\nssl_key = <${directory}/server.key` : ""}
disable_plaintext_auth = no
mail_location = maildir:${mails}
first_valid_uid = 1
passdb {
  driver = passwd-file
  args = ${directory}/users
}
userdb {
  driver = static
  args = uid=${owner} gid=${owner} home=${mails}
}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${isSecure ? securePort : 0}
    ssl = yes
  }
}
service stats {
  unix_listener stats-writer {
    mode = 0666
  }
}
`;
}

/** Creates a certificate for localhost; returns the untrusted authority that signed it. */
function certificateIn(directory: string): string | null {
  const openssl = (line: string) => spawnSync("openssl", line.split(" "), { cwd: directory }).status === 0;
  writeFileSync(join(directory, "names"), "subjectAltName=DNS:localhost");
  const isMade =
    openssl("req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ca.key -out ca.pem -subj /CN=Test") &&
    openssl("req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost") &&
    openssl("x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.pem");
  return isMade ? readFileSync(join(directory, "ca.pem"), "utf8") : null;
}
