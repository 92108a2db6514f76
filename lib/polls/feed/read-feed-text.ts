import { XMLParser } from "fast-xml-parser";

/** An entry of a feed as JSON text, and what identifies it: its guid, or else its link, or else its content. */
export interface ReadEntry {
  readonly key: string;
  readonly json: string;
}

interface TimedEntry extends ReadEntry {
  /** NaN if it does not say when it was published. */
  readonly atMs: number;
}

type Element = Readonly<Record<string, unknown>>;

/** Entries beyond this are ignored. */
export const entriesMax = 10_000;

const atomNamespace = "http://www.w3.org/2005/Atom";

/** Elements whose text may hold markup, which is kept as written. */
const markedOfAtom = ["title", "summary", "content", "author"];
const marked = [...markedOfAtom, "description", "content:encoded", "dc:creator"];

/** Expands no entities. `decoded` handles XML's predefined ones; those defined in a document stay as written. */
const options = {
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  processEntities: false,
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: 100,
  stopNodes: [...marked, ...markedOfAtom.map((name) => `atom:${name}`)].map((name) => `..${name}`),
};
const parser = new XMLParser(options);

/** Reads the elements that have this prefix as if it were `atom`, for which the options are. */
function parserOf(prefix: string): XMLParser {
  const own = `${prefix}:`;
  return new XMLParser({
    ...options,
    transformTagName: (name) => (name.startsWith(own) ? `atom:${name.slice(own.length)}` : name),
  });
}

/** The entries of an RSS 2.0, Atom or RDF feed, oldest first. Throws an Error that says why it is not one. */
export function readFeedText(bytes: Uint8Array, charset: string | null): ReadEntry[] {
  const root = parsed(decode(bytes, charset));
  const rss = elementOf(root.rss);
  const channel = elementOf(listOf(rss.channel)[0]);
  const rdf = elementOf(root["rdf:RDF"]);
  const feed = elementOf(root.feed);
  if (root.rss === undefined && root["rdf:RDF"] === undefined && root.feed === undefined) {
    throw new Error("it is not an RSS, Atom or RDF feed");
  }
  const items = [...listOf(channel.item), ...listOf(rdf.item), ...listOf(feed.entry)].slice(0, entriesMax);
  const entries = items.flatMap((item) => readEntry(elementOf(item)) ?? []);
  return oldestFirst(entries).map(({ key, json }) => ({ key, json }));
}

/** By their times if all entries have one; without, the newest entry of a feed is its first. */
function oldestFirst(entries: readonly TimedEntry[]): TimedEntry[] {
  const reversed = [...entries].reverse();
  if (entries.some(({ atMs }) => Number.isNaN(atMs))) return reversed;
  return reversed.sort((a, b) => a.atMs - b.atMs);
}

function parsed(text: string): Element {
  // A truncated feed would be parsed as far as it goes, and its last entry would look like a different one.
  if (!/<\/[\w:.-]+\s*>$/.test(withoutLastComments(text).slice(-200))) throw new Error("it is not XML, or truncated");
  try {
    const root = elementOf(parser.parse(text));
    const prefix = atomPrefixOf(root);
    if (prefix === undefined) return root;
    return withoutPrefix(prefix === "atom" ? root : elementOf(parserOf(prefix).parse(text)));
  } catch {
    throw new Error("it is not well-formed XML");
  }
}

/** The prefix of an Atom feed's elements; undefined if they have none, or if it is not one. */
function atomPrefixOf(root: Element): string | undefined {
  for (const [name, feed] of Object.entries(root)) {
    const prefix = /^([^@:]+):feed$/.exec(name)?.[1];
    if (prefix !== undefined && elementOf(feed)[`@xmlns:${prefix}`] === atomNamespace) return prefix;
  }
  return undefined;
}

/** An Atom feed as if its elements had no prefix. Those of other vocabularies are left out. */
function withoutPrefix(root: Element): Element {
  const plain = (element: unknown): Element =>
    Object.fromEntries(
      Object.entries(elementOf(element)).flatMap(([name, value]) =>
        name.startsWith("atom:") ? [[name.slice("atom:".length), value]] : [],
      ),
    );
  return { feed: { entry: listOf(plain(root["atom:feed"]).entry).slice(0, entriesMax).map(plain) } };
}

/** Without the comments after the last element: caches of blogs append them. */
function withoutLastComments(text: string): string {
  let rest = text.trimEnd();
  while (rest.endsWith("-->")) {
    const start = rest.lastIndexOf("<!--");
    if (start === -1) break;
    rest = rest.slice(0, start).trimEnd();
  }
  return rest;
}

/** Null for an empty entry. */
function readEntry(item: Element): TimedEntry | null {
  const guid = textOf(item.guid) ?? textOf(item.id) ?? textOf(item["@rdf:about"]);
  const link = linkOf(item);
  const entry = {
    id: guid ?? link,
    title: textOf(item.title),
    link,
    published: timeOf(item.pubDate ?? item.published ?? item["dc:date"]),
    updated: timeOf(item.updated),
    author: authorOf(item),
    summary: textOf(item.description) ?? textOf(item.summary),
    content: textOf(item["content:encoded"]) ?? textOf(item.content),
    categories: listOf(item.category).flatMap(
      (category) => textOf(category) ?? textOf(elementOf(category)["@term"]) ?? [],
    ),
    enclosures: listOf(item.enclosure).map((enclosure) => {
      const { "@url": url, "@type": type, "@length": length } = elementOf(enclosure);
      return { url: textOf(url), type: textOf(type), length: Number(length) || null };
    }),
  };
  if (entry.id === null && entry.title === null && entry.summary === null && entry.content === null) return null;
  const json = JSON.stringify(entry);
  return { key: entry.id ?? json, json, atMs: Date.parse(entry.published ?? entry.updated ?? "") };
}

/** An entry's link: Atom has several kinds, in attributes. */
function linkOf(item: Element): string | null {
  const links = listOf(item.link);
  const alternate = links.map(elementOf).find(({ "@rel": rel, "@href": href }) => {
    return href !== undefined && (rel === undefined || rel === "alternate");
  });
  return textOf(alternate?.["@href"]) ?? links.map(textOf).find((text) => text !== null) ?? null;
}

/** In Atom, the author is an element with a name; in other formats, text. */
function authorOf(item: Element): string | null {
  const written = textOf(listOf(item.author)[0]) ?? textOf(listOf(item["dc:creator"])[0]);
  const name = written === null ? undefined : /<(?:[\w.-]+:)?name>([^<]*)<\//.exec(written)?.[1];
  return name === undefined ? written : decoded(name).trim();
}

/** As ISO 8601 if it is a date. */
function timeOf(value: unknown): string | null {
  const text = textOf(listOf(value)[0]);
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}

function listOf(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function elementOf(value: unknown): Element {
  return typeof value === "object" && value !== null ? (value as Element) : {};
}

/** An element's or attribute's text; null for none. */
function textOf(value: unknown): string | null {
  const [first] = listOf(value);
  const text = typeof first === "string" ? first : elementOf(first)["#text"];
  if (typeof text !== "string") return null;
  const parts = text.split(/<!\[CDATA\[([\s\S]*?)\]\]>/);
  // Every second part was CDATA. If there is markup around it, escaped characters stay escaped.
  const isMarkup = parts.some((part, index) => index % 2 === 0 && part.includes("<"));
  const joinedText = parts
    .map((part, index) => (index % 2 === 1 || isMarkup ? part : decoded(part)))
    .join("")
    .trim();
  return joinedText === "" ? null : joinedText.toWellFormed();
}

const known: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(lt|gt|amp|quot|apos));/g, (entity, decimal, hex, name) => {
    if (name !== undefined) return known[name] ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? "\ufffd" : String.fromCodePoint(code);
  });
}

/** Decodes by the byte order mark, or else the server's charset or the document's. XML cannot contain U+0000. */
function decode(bytes: Uint8Array, charset: string | null): string {
  const head = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  const marked = head.startsWith("\xff\xfe") ? "utf-16le" : head.startsWith("\xfe\xff") ? "utf-16be" : undefined;
  const declared = /^[\s\S]{0,3}<\?xml[^>]*encoding=["']([\w.-]+)["']/.exec(head)?.[1];
  const named = marked ?? charset ?? declared ?? "utf-8";
  return decoderFor(named).decode(bytes).replaceAll("\u0000", "\ufffd");
}

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    // Falls back to UTF-8 for an unknown charset.
    return new TextDecoder();
  }
}
