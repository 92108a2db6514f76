/** The formats that `convert` reads and writes. */
export const formats = [
  ...(["json", "csv", "xml", "yaml", "html", "markdown"] as const),
  ...(["text", "base64", "gzip", "zip", "xlsx"] as const),
] as const;
export type Format = (typeof formats)[number];

/** What a format is parsed into. It alone determines the possible targets. */
type Kind = "value" | "text" | "bytes" | "html" | "markdown";

const kinds: Readonly<Record<Format, Kind>> = {
  ...{ json: "value", csv: "value", xml: "value", yaml: "value", zip: "value", xlsx: "value" },
  ...{ text: "text", base64: "bytes", gzip: "bytes", html: "html", markdown: "markdown" },
};

/** The kinds that each format can be made from. */
const madeOf: Readonly<Record<Format, readonly Kind[]>> = {
  json: ["value", "text", "bytes", "html"],
  ...{ csv: ["value"], xml: ["value"], yaml: ["value"], zip: ["value"], xlsx: ["value"] },
  html: ["markdown", "html"],
  markdown: ["html"],
  text: ["value", "text", "bytes", "html"],
  base64: ["value", "text", "bytes"],
  gzip: ["value", "text", "bytes"],
};

export function canConvert(from: Format, to: Format): boolean {
  return madeOf[to].includes(kinds[from]);
}

/** The formats that a format can be converted to. */
export function targetsOf(from: Format): Format[] {
  return formats.filter((to) => canConvert(from, to));
}

export interface ConversionOptions {
  readonly from: Format;
  readonly to: Format;
  /** For HTML: a CSS selector for the elements to convert. */
  readonly select?: string | undefined;
  /** For CSV and xlsx: whether the first row has the names. */
  readonly header: boolean;
  /** For CSV. */
  readonly delimiter: string;
  /** For xlsx: the sheet's name; by default the first. */
  readonly sheet?: string | undefined;
}

/** A message to a worker: text unchanged, any other value as JSON. */
export interface Conversion {
  readonly options: ConversionOptions;
  readonly input: { readonly text: string } | { readonly json: string };
}

/** The output as JSON, or why there is none: the end of a sentence after "cannot be converted: ". */
export type Converted = { readonly json: string } | { readonly problem: string };

const mib = 1_048_576;
export const conversionLimits = {
  /** The input as text or as JSON. */
  inputBytes: 8 * mib,
  /** The contents of an archive, and the output as JSON. */
  outputBytes: 16 * mib,
  archiveEntries: 1_000,
  /** Levels of elements and collections. */
  levels: 200,
  cells: 500_000,
  timeMs: 10_000,
  memoryMb: 256,
} as const;

/** The input is invalid or too large. The message is the end of a sentence after "cannot be converted: ". */
export class Unconvertible extends Error {
  override readonly name = "Unconvertible";
}
