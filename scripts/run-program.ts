import { spawn } from "node:child_process";
import { once } from "node:events";
import { projectDirectory } from "./places.mjs";

/** Runs a program that is written in JavaScript on this Node; what it prints is shown as it comes. */
export async function runProgram(
  file: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: projectDirectory,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
  });
  const [code] = await once(child, "exit");
  return code === 0;
}
