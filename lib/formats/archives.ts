import { gunzipSync, gzipSync } from "node:zlib";
import { unzipSync, zipSync } from "fflate";
import { conversionLimits, Unconvertible } from "./formats.ts";

const { outputBytes, archiveEntries } = conversionLimits;

export function gunzip(bytes: Uint8Array): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: outputBytes });
  } catch (error) {
    const isLarge = error instanceof RangeError;
    throw new Unconvertible(isLarge ? `unpacks to more than ${outputBytes} bytes` : "it is not gzip");
  }
}

export function gzip(bytes: Uint8Array): Buffer {
  return gzipSync(bytes);
}

/**
 * The files of a zip archive. Each may be no larger than the archive's directory says, so that the total is known
 * before anything is unpacked.
 */
export function unzip(bytes: Uint8Array): Map<string, Uint8Array> {
  let [entries, total] = [0, 0];
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(bytes, {
      filter: ({ originalSize }) => {
        entries += 1;
        total += originalSize;
        if (entries > archiveEntries) throw new Unconvertible(`has more than ${archiveEntries} files`);
        if (total > outputBytes) throw new Unconvertible(`unpacks to more than ${outputBytes} bytes`);
        return true;
      },
    });
  } catch (error) {
    throw error instanceof Unconvertible ? error : new Unconvertible("it is not a zip archive, or a damaged one");
  }
  return new Map(Object.entries(files).filter(([name]) => !name.endsWith("/")));
}

/** The same archive, uncompressed: it contains exactly what was unpacked, whatever its directory said. */
export function asUnpacked(bytes: Uint8Array): Uint8Array {
  return zipSync(Object.fromEntries(unzip(bytes)), { level: 0 });
}

/** Packs a zip archive from a list of files, as text or in base64. */
export function zip(value: unknown): Uint8Array {
  if (!Array.isArray(value)) throw new Unconvertible("a zip archive is made of a list of files");
  if (value.length > archiveEntries) throw new Unconvertible(`has more than ${archiveEntries} files`);
  const files: [string, Uint8Array][] = value.map((file: unknown, index) => {
    const { name, text, base64 } = Object(file) as Record<string, unknown>;
    if (typeof name !== "string" || name === "") throw new Unconvertible(`file ${index}: name must be text`);
    if (typeof text === "string") return [name, Buffer.from(text)];
    if (typeof base64 === "string") return [name, bytesOfBase64(base64)];
    throw new Unconvertible(`file ${index}: text or base64 must be given`);
  });
  if (new Set(files.map(([name]) => name)).size < files.length) throw new Unconvertible("two files have the same name");
  return zipSync(Object.fromEntries(files));
}

export function bytesOfBase64(text: string): Buffer {
  const clean = text.replace(/\s+/g, "");
  if (!/^[\w+/-]*={0,2}$/.test(clean) || clean.length % 4 === 1) throw new Unconvertible("it is not base64");
  return Buffer.from(clean, "base64");
}

/** Bytes as a file's contents: as text if they are UTF-8, else in base64. */
export function contentsOf(bytes: Uint8Array): { text: string } | { base64: string } {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { base64: Buffer.from(bytes).toString("base64") };
  }
}
