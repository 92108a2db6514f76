import { asUnpacked, bytesOfBase64, contentsOf, gunzip, gzip, unzip, zip } from "./archives.ts";
import {
  type Conversion,
  type ConversionOptions,
  type Converted,
  canConvert,
  conversionLimits,
  Unconvertible,
} from "./formats.ts";
import { csvOfRows, recordsOf, rowsOfCsv, rowsOfValue } from "./rows.ts";

/** A parsed input. */
type Read =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "text" | "html" | "markdown"; readonly text: string }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array };

/** Converts in this thread: call it only in a worker thread. Libraries are loaded on first use. */
export async function convertInThread({ options, input }: Conversion): Promise<Converted> {
  try {
    if (!canConvert(options.from, options.to)) throw new Unconvertible(`${options.from} cannot become ${options.to}`);
    const json = JSON.stringify((await write(await read(input, options), options)) ?? null);
    if (Buffer.byteLength(json) <= conversionLimits.outputBytes) return { json };
    return { problem: `the output has more than ${conversionLimits.outputBytes} bytes` };
  } catch (error) {
    if (error instanceof Unconvertible) return { problem: error.message };
    // A library's error, or a stack overflow.
    return { problem: error instanceof RangeError ? "it is nested too deeply, or too large" : "it cannot be read" };
  }
}

async function read(input: Conversion["input"], options: ConversionOptions): Promise<Read> {
  const { from, header, delimiter } = options;
  if ("json" in input) {
    if (from === "json") return { kind: "value", value: JSON.parse(input.json) };
    throw new Unconvertible(`${from} is read from text`);
  }
  const { text } = input;
  switch (from) {
    case "json":
      return { kind: "value", value: parsed(text) };
    case "csv": {
      const rows = rowsOfCsv(text, delimiter);
      return { kind: "value", value: header ? recordsOf(rows) : rows };
    }
    case "xml":
      return { kind: "value", value: (await import("./markup.ts")).readXml(text) };
    case "yaml":
      return { kind: "value", value: await readYaml(text) };
    case "xlsx": {
      const rows = await readSheet(bytesOfBase64(text), options.sheet);
      return { kind: "value", value: header ? recordsOf(rows) : rows };
    }
    case "zip": {
      const files = [...unzip(bytesOfBase64(text))];
      return {
        kind: "value",
        value: files.map(([name, bytes]) => ({ name, size: bytes.length, ...contentsOf(bytes) })),
      };
    }
    case "gzip":
      return { kind: "bytes", bytes: gunzip(bytesOfBase64(text)) };
    case "base64":
      return { kind: "bytes", bytes: bytesOfBase64(text) };
    default:
      return { kind: from, text };
  }
}

async function write(read: Read, options: ConversionOptions): Promise<unknown> {
  const { to, header, delimiter, select } = options;
  if (read.kind === "html") return await writeHtml(read.text, options);
  if (read.kind === "markdown") return (await import("./markup.ts")).htmlOfMarkdown(read.text);
  if (read.kind !== "value") return writePlain(read, to);
  const { value } = read;
  switch (to) {
    case "json":
      return value;
    case "csv":
      return csvOfRows(rowsOfValue(value, header), delimiter);
    case "xml":
      return (await import("./markup.ts")).writeXml(value);
    case "yaml":
      return (await import("yaml")).stringify(value, { aliasDuplicateObjects: false });
    case "xlsx":
      return await writeSheet(rowsOfValue(value, header), options.sheet);
    case "zip":
      return Buffer.from(zip(value)).toString("base64");
    default:
      if (select !== undefined) throw new Unconvertible("select is for html");
      return writePlain({ kind: "text", text: typeof value === "string" ? value : JSON.stringify(value) }, to);
  }
}

function writePlain(read: Exclude<Read, { kind: "value" }>, to: ConversionOptions["to"]): unknown {
  const bytes = read.kind === "bytes" ? read.bytes : Buffer.from(read.text);
  if (to === "base64") return Buffer.from(bytes).toString("base64");
  if (to === "gzip") return gzip(bytes).toString("base64");
  const contents = contentsOf(bytes);
  if (!("text" in contents)) throw new Unconvertible("its bytes are not text in UTF-8");
  return to === "json" ? parsed(contents.text) : contents.text;
}

async function writeHtml(html: string, { to, select }: ConversionOptions): Promise<unknown> {
  const { selectHtml, elementsAsValue, htmlOf, textOf, markdownOf } = await import("./markup.ts");
  const elements = selectHtml(html, select);
  if (to === "json") return elementsAsValue(elements);
  if (to === "text") return elements.map(textOf).join("\n");
  const selected = htmlOf(elements, select === undefined);
  return to === "markdown" ? markdownOf(selected) : selected;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Unconvertible(`it is not JSON: ${error instanceof Error ? error.message.slice(0, 200) : ""}`);
  }
}

async function readYaml(text: string): Promise<unknown> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text, { prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) throw new Unconvertible(`it is not YAML: ${error.message.slice(0, 200)}`);
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    throw new Unconvertible("this YAML cannot be read: it has circular or too many references");
  }
}

async function readSheet(bytes: Uint8Array, sheet: string | undefined): Promise<unknown[][]> {
  const unpacked = Buffer.from(asUnpacked(bytes));
  const { readSheet: readRows } = await import("read-excel-file/node");
  try {
    return (await readRows(unpacked, sheet ?? 1)) as unknown[][];
  } catch (error) {
    if (error instanceof Error && error.name === "SheetNotFoundError") {
      throw new Unconvertible(`it has no sheet named ${JSON.stringify(sheet)}`);
    }
    throw new Unconvertible("it is not an xlsx file, or a damaged one");
  }
}

async function writeSheet(rows: ReturnType<typeof rowsOfValue>, sheet = "Sheet1"): Promise<string> {
  const { default: writeRows } = await import("write-excel-file/node");
  const cells = rows.map((row) => row.map((value) => (value === null ? null : { value, type: typeOfCell(value) })));
  const bytes = await writeRows(cells, { sheet }).toBuffer();
  return bytes.toString("base64");
}

function typeOfCell(value: string | number | boolean) {
  return typeof value === "number" ? Number : typeof value === "boolean" ? Boolean : String;
}
