// Bodies that no operation accepts.

export interface RawBody {
  readonly name: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  /** 400 when missing. */
  readonly status?: number;
  /** The limit that it exceeds, where some operations take more than is usual. */
  readonly beyond?: "bytes" | "levels";
}

const json = (name: string, body: string): RawBody => ({ name, body });
const typed = (type: string, body = "{}"): RawBody => ({
  name: `type ${type}`,
  body,
  headers: { "content-type": type },
});
const mebibyte = 1_048_576;

export const rawBodies: readonly RawBody[] = [
  json("cut off", "{"),
  json("a comma too many", '{"a":1,}'),
  json("single quotes", "{'a':1}"),
  json("NaN", "NaN"),
  json("undefined", "undefined"),
  json("a byte order mark", "\ufeff{}"),
  json("two documents", "{}{}"),
  json("a comment", "{/**/}"),
  json("null", "null"),
  json("a list", "[]"),
  json("text", '"x"'),
  json("a number", "5"),
  json("a truth", "true"),
  json("a number that is none", '{"a":1e}'),
  json("a raw line break in text", '{"a":"\n"}'),
  { ...json("65 levels", `{"a":${"[".repeat(64)}${"]".repeat(64)}}`), beyond: "levels" },
  json("100,000 levels", `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
  { name: "a byte that is no UTF-8", body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) },
  { name: "compressed", body: new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), headers: { "content-encoding": "gzip" } },
  { name: "over the limit", body: `{"a":"${"x".repeat(mebibyte)}"}`, status: 413, beyond: "bytes" },
  typed("text/plain"),
  typed("application/xml", "<a/>"),
  typed("application/x-www-form-urlencoded", "a=1"),
  typed("multipart/form-data; boundary=x", "--x--"),
  typed("application/json; charset=utf-16"),
];
