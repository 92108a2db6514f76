// A command's output: text for people or one JSON document for programs, and progress on stderr.
const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 36 } as const;
export type Paint = keyof typeof codes;

interface Stream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface TerminalOptions {
  readonly isJson: boolean;
  readonly out: Stream;
  readonly err: Stream;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export class Terminal {
  readonly isJson: boolean;
  readonly #out: Stream;
  readonly #err: Stream;
  readonly #hasColours: boolean;
  readonly #showsProgress: boolean;
  #shown = false;

  constructor({ isJson, out, err, environment }: TerminalOptions) {
    this.isJson = isJson;
    this.#out = out;
    this.#err = err;
    this.#hasColours = hasColours(out, environment);
    this.#showsProgress = err.isTTY === true && environment.TERM !== "dumb";
  }

  /** Prints a line for people; nothing with `--json`. */
  print(line = ""): void {
    if (this.isJson) return;
    this.#clear();
    this.#out.write(`${withoutControls(line)}\n`);
  }

  /** Prints text unchanged, for programs: a script, a report, a file. */
  write(text: string): void {
    this.#clear();
    this.#out.write(text);
  }

  /** Prints the result with `--json`. */
  printJson(result: unknown): void {
    if (this.isJson) this.write(`${JSON.stringify(result, null, 2)}\n`);
  }

  /** Prints one line of JSON of an open-ended result. */
  printJsonLine(result: unknown): void {
    if (this.isJson) this.write(`${JSON.stringify(result)}\n`);
  }

  /** Prints a line to stderr in every output format. */
  warn(line: string): void {
    this.#clear();
    this.#err.write(`${withoutControls(line)}\n`);
  }

  /** Shows progress on one line that is overwritten; only on a terminal. */
  progress(line: string): void {
    if (!this.#showsProgress) return;
    this.#clear();
    this.#err.write(withoutControls(line).slice(0, 100));
    this.#shown = true;
  }

  /** Ends the progress line. */
  done(): void {
    this.#clear();
  }

  paint(paint: Paint, text: string): string {
    return this.#hasColours ? `\u001b[${codes[paint]}m${text}\u001b[0m` : text;
  }

  #clear(): void {
    if (this.#shown) this.#err.write("\r\u001b[2K");
    this.#shown = false;
  }
}

function hasColours({ isTTY }: Stream, { NO_COLOR, FORCE_COLOR, TERM }: TerminalOptions["environment"]): boolean {
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0";
  return isTTY === true && TERM !== "dumb";
}

/** Names and messages are untrusted: control characters are shown as U+FFFD, except our own colours. */
function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  const controls = /\u001b\[(?:[0-2]|3[1-6])m|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
  return text.replace(controls, (found) => (found.length > 1 ? found : "\ufffd"));
}
