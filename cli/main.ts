// The program `millrace`. Exits with the command's exit code.
import process from "node:process";
import { runCommand } from "./run-command.ts";

declare const MILLRACE_VERSION: string | undefined;

const version = typeof MILLRACE_VERSION === "string" ? MILLRACE_VERSION : "0.0.0";

// A reader that closes the pipe early, as `head` does, has read enough.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

const code = await runCommand(
  process.argv.slice(2),
  { out: process.stdout, err: process.stderr },
  process.env,
  version,
);
await new Promise((resolve) => process.stdout.write("", resolve));
process.exit(code);
