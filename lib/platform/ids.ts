import { createHash, randomUUID } from "node:crypto";
import { fromString, fromUUID, toUUID } from "typeid-js";
import { newUuidText } from "./uuid-text.ts";

/** What each kind of id starts with; ids are TypeIDs: time-sortable, opaque to clients. */
export const idPrefixes = {
  flow: "flow",
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
} as const;
type IdKind = keyof typeof idPrefixes;

export function newId(kind: Exclude<IdKind, "hook">): string {
  return `${idPrefixes[kind]}_${newUuidText()}`;
}

/** A trigger's id is a capability: all of it random (UUID version 4, 122 bits), none of it time. */
export function newHookId(): string {
  return fromUUID(randomUUID(), idPrefixes.hook);
}

/**
 * The id of something that is to be made once however many make it: the same time and seed give the same id. Sorts by
 * that time, like any other.
 */
export function derivedId(kind: Exclude<IdKind, "hook">, time: Date, seed: string): string {
  const bytes = createHash("sha256").update(seed).digest().subarray(0, 16);
  bytes.writeUIntBE(time.getTime(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6); // UUID version 7
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  const uuid = [8, 12, 16, 20, 32].map((end, part, ends) => hex.slice(ends[part - 1] ?? 0, end)).join("-");
  return fromUUID(uuid, idPrefixes[kind]);
}

const suffix = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** True for text that may be an id of this kind; what is malformed is not looked up. */
export function isId(kind: IdKind, text: string): boolean {
  const prefix = `${idPrefixes[kind]}_`;
  return text.startsWith(prefix) && suffix.test(text.slice(prefix.length));
}

/** The id of a row whose key is made by the database, as a UUID. */
export function idOfUuid(kind: IdKind, uuid: string): string {
  return fromUUID(uuid, idPrefixes[kind]);
}

/** The UUID in an id that is well-formed. */
export function uuidOfId(id: string): string {
  return toUUID(fromString(id));
}
