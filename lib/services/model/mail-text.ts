interface Mail {
  readonly to: unknown;
  readonly cc?: unknown;
  readonly bcc?: unknown;
  readonly subject: unknown;
  readonly text?: unknown;
  readonly html?: unknown;
  /** The Message-ID of the mail that it answers. */
  readonly inReplyTo?: unknown;
}

const boundary = "=_millrace_parts";

/** A mail in the format of RFC 5322, with its body in base64 and non-ASCII headers encoded by RFC 2047. */
export function mailText({ to, cc, bcc, subject, text, html, inReplyTo }: Mail): string {
  const heads = [
    ["To", addresses(oneLine(to))],
    ["Cc", addresses(oneLine(cc))],
    ["Bcc", addresses(oneLine(bcc))],
    ["Subject", encodedWords(oneLine(subject))],
    ["In-Reply-To", oneLine(inReplyTo)],
    ["References", oneLine(inReplyTo)],
    ["MIME-Version", "1.0"],
  ].flatMap(([name, value]) => (value === "" ? [] : [`${name}: ${value}`]));
  const parts = [
    ...(text === undefined && html !== undefined ? [] : [part("text/plain", String(text ?? ""))]),
    ...(html === undefined ? [] : [part("text/html", String(html))]),
  ];
  const [only = ""] = parts;
  if (parts.length === 1) return `${heads.join("\r\n")}\r\n${only}`;
  const separated = parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("");
  const type = `Content-Type: multipart/alternative; boundary="${boundary}"`;
  return `${heads.join("\r\n")}\r\n${type}\r\n\r\n${separated}--${boundary}--`;
}

/** A line break would start another header. */
function oneLine(value: unknown): string {
  return value === undefined
    ? ""
    : String(value)
        .replace(/[\r\n]+/g, " ")
        .trim();
}

/** Comma-separated addresses, with their names encoded: `Jörg <j@example.com>`. */
function addresses(text: string): string {
  return text.replace(/<[^<>]*>?|"(?:[^"\\]|\\.)*"?|[^",<>]+/g, (piece, at: number) => {
    const isBeforeAddress = text[at + piece.length] === "<";
    const isName = piece.startsWith('"') || isBeforeAddress;
    if (!isName || piece.startsWith("<") || isPrintable(piece)) return piece;
    const name = piece.trim().replace(/^"|"$/g, "").replace(/\\(.)/g, "$1");
    return `${piece.startsWith(" ") ? " " : ""}${encodedWords(name)}${isBeforeAddress ? " " : ""}`;
  });
}

const isPrintable = (text: string) => /^[\x20-\x7e]*$/.test(text);

function part(type: string, text: string): string {
  const lines =
    Buffer.from(text, "utf8")
      .toString("base64")
      .match(/.{1,76}/g) ?? [];
  return `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines.join("\r\n")}`;
}

/** Encoded words have at most 75 characters, and never split a character. */
const wordBytesMax = 45;

function encodedWords(text: string): string {
  if (isPrintable(text)) return text;
  const chunks: string[] = [];
  let chunk = "";
  for (const character of text) {
    if (Buffer.byteLength(chunk + character) > wordBytesMax) {
      chunks.push(chunk);
      chunk = "";
    }
    chunk += character;
  }
  return [...chunks, chunk].map((word) => `=?UTF-8?B?${Buffer.from(word, "utf8").toString("base64")}?=`).join("\r\n ");
}
