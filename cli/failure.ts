/** The exit codes. */
export const exitCodes = { ok: 0, differs: 1, usage: 2, server: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command with a message for the user. */
export class Failure extends Error {
  readonly exitCode: ExitCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(kind: Exclude<keyof typeof exitCodes, "ok">, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.name = "Failure";
    this.exitCode = exitCodes[kind];
    this.details = details;
  }
}

/** A file or folder that does not exist or cannot be read, with its path. */
export function fileFailure(path: string, error: unknown): Failure {
  const { code = "" } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    ENOENT: "there is no such file or folder",
    EACCES: "it may not be read or written",
    EPERM: "it may not be read or written",
    EROFS: "it may not be written",
    ENOSPC: "the disk is full",
    EEXIST: "it is no folder",
    EISDIR: "it is a folder",
    ENOTDIR: "it is no folder",
  };
  return new Failure("usage", `${path}: ${reasons[code] ?? (error instanceof Error ? error.message : String(error))}`);
}

/** Turns an error of the file system into one that ends the command; returns anything else unchanged. */
export function asFileFailure(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const { code, path } = error as NodeJS.ErrnoException;
  return typeof code === "string" && typeof path === "string" ? fileFailure(path, error) : error;
}
