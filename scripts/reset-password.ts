// `npm run reset-password -- <email>`: prints a link for setting a new password. For installations without mail;
// whoever can run it has access to the database anyway.
import { openPasswordReset } from "#lib/accounts/reset-password.ts";
import { readSettings, SettingsError } from "#lib/platform/env.ts";
import { loadDotEnv } from "./dot-env.ts";
import { projectDirectory } from "./places.mjs";
import { pointAtDatabase } from "./server/database.ts";

try {
  loadDotEnv(projectDirectory);
  const email = process.argv[2];
  if (email === undefined) throw new SettingsError(["npm run reset-password -- <email>"]);
  pointAtDatabase(readSettings(process.env));
  const link = await openPasswordReset(email);
  if (link === null) throw new SettingsError([`No account has the address ${email}, or it has three open links`]);
  console.log(`${link}\nIt works once, within an hour.`);
  process.exit(0);
} catch (error) {
  for (const line of error instanceof SettingsError ? error.lines : [error]) console.error(line);
  process.exit(1);
}
