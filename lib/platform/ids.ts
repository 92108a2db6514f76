import { createHash, randomFillSync, randomUUID } from "node:crypto";
import { fromString, fromUUID, toUUID } from "typeid-js";

/** Crockford's base 32, as in TypeIDs. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const uuidBytes = 16;
const timeBytes = 6;
const uuidsAtOnce = 256;

/** Random bytes are drawn for many ids at once: drawing sixteen costs as much as drawing thousands. */
const pool = Buffer.alloc(uuidBytes * uuidsAtOnce);
let used = pool.length;

let lastMs = 0;
let sequence = 0;
/** The maximum of the twelve bits after the time. */
const sequenceMax = 0xfff;
const firstSequenceMax = 0x3ff;

/**
 * A new UUIDv7 as the 26 characters of a TypeID. Ids of one process sort by creation: within a millisecond, the bits
 * after the time count up from a random number, and the time runs ahead of the clock if they overflow.
 */
export function newUuidText(nowMs = Date.now()): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.subarray(used, used + uuidBytes);
  used += uuidBytes;
  const { ms, count } = nextPlace(nowMs, bytes.readUInt16BE(timeBytes) & firstSequenceMax);
  bytes.writeUInt16BE(count, timeBytes);
  return inBase32(asUuid7(bytes, ms));
}

/** Turns bytes into a UUID of version 7: sets the time, version and variant. */
function asUuid7(bytes: Buffer, ms: number): Buffer {
  bytes.writeUIntBE(ms, 0, timeBytes);
  bytes.writeUInt8((bytes.readUInt8(timeBytes) & 0x0f) | 0x70, timeBytes);
  bytes.writeUInt8((bytes.readUInt8(timeBytes + 2) & 0x3f) | 0x80, timeBytes + 2);
  return bytes;
}

function nextPlace(nowMs: number, start: number): { ms: number; count: number } {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    sequence = start;
  } else if (sequence < sequenceMax) {
    sequence += 1;
  } else {
    lastMs += 1;
    sequence = start;
  }
  return { ms: lastMs, count: sequence };
}

/** 128 bits are 26 characters of five bits, with two leading zeros. */
function inBase32(bytes: Buffer): string {
  let text = "";
  let bits = 0;
  let count = 2;
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    for (count += 8; count >= 5; ) {
      count -= 5;
      text += alphabet[(bits >> count) & 0x1f];
    }
    bits &= (1 << count) - 1;
  }
  return text;
}

/** The prefix of each kind of id. Ids are TypeIDs: sortable by time, opaque to clients. */
export const idPrefixes = {
  flow: "flow",
  flowTest: "test",
  backtest: "bt",
  execution: "exec",
  hook: "hook",
  subscription: "sub",
  delivery: "dlv",
  key: "key",
  credential: "cred",
  workspace: "ws",
  user: "user",
  session: "ses",
  invitation: "inv",
  audit: "aud",
  alertRule: "rule",
  alert: "alert",
  savedFilter: "filter",
  table: "tbl",
  tableRow: "row",
  event: "evt",
  file: "file",
  service: "svc",
} as const;
type IdKind = keyof typeof idPrefixes;

export function newId(kind: Exclude<IdKind, "hook">): string {
  return `${idPrefixes[kind]}_${newUuidText()}`;
}

/** A trigger's id is a capability: entirely random (UUIDv4, 122 bits), without a time. */
export function newHookId(): string {
  return fromUUID(randomUUID(), idPrefixes.hook);
}

/**
 * A deterministic id, for something that must be created once however many processes try: the same time and seed give
 * the same id. Sorts by that time like any other.
 */
export function derivedId(kind: Exclude<IdKind, "hook">, time: Date, seed: string): string {
  const bytes = createHash("sha256").update(seed).digest().subarray(0, uuidBytes);
  return `${idPrefixes[kind]}_${inBase32(asUuid7(bytes, time.getTime()))}`;
}

const suffix = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** True for a well-formed id of this kind; malformed ones are not looked up. */
export function isId(kind: IdKind, text: string): boolean {
  const prefix = `${idPrefixes[kind]}_`;
  return text.startsWith(prefix) && suffix.test(text.slice(prefix.length));
}

/** The id of a row whose key the database generates as a UUID. */
export function idOfUuid(kind: IdKind, uuid: string): string {
  return fromUUID(uuid, idPrefixes[kind]);
}

/** The UUID in a well-formed id. */
export function uuidOfId(id: string): string {
  return toUUID(fromString(id));
}
