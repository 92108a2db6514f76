import { XMLParser } from "fast-xml-parser";

/** An entry of a feed, as JSON text, and what tells it from others: its guid, else its link, else all of it. */
export interface ReadEntry {
  readonly key: string;
  readonly json: string;
}

type Element = Readonly<Record<string, unknown>>;

/** A feed is a page of news. Entries beyond this are ignored. */
export const entriesMax = 10_000;

/** Elements whose text may hold markup; left as it is written. */
const marked = ["title", "description", "summary", "content", "content:encoded", "author", "dc:creator"];

/** No entity is expanded but those that every XML has, in `decoded`: what a document defines itself stays as it is written. */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  processEntities: false,
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: 100,
  stopNodes: marked.map((name) => `..${name}`),
});

/** The entries of an RSS 2.0, Atom or RDF feed, in its order. Throws an Error that says why it is none. */
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
  return items.flatMap((item) => {
    const entry = readEntry(elementOf(item));
    return entry === null ? [] : [entry];
  });
}

function parsed(text: string): Element {
  // What is cut off would be read as far as it goes, and its last entry as another than it is.
  if (!/<\/[\w:]+\s*>\s*(?:<!--[\s\S]{0,1000}-->\s*)?$/.test(text.slice(-2_000)))
    throw new Error("it is not XML, or truncated");
  try {
    return elementOf(parser.parse(text));
  } catch {
    throw new Error("it is not well-formed XML");
  }
}

/** Null for an entry that says nothing. */
function readEntry(item: Element): ReadEntry | null {
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
  return { key: entry.id ?? json, json };
}

/** The page of an entry: Atom has links of several kinds, in attributes. */
function linkOf(item: Element): string | null {
  const links = listOf(item.link);
  const alternate = links.map(elementOf).find(({ "@rel": rel, "@href": href }) => {
    return href !== undefined && (rel === undefined || rel === "alternate");
  });
  return textOf(alternate?.["@href"]) ?? links.map(textOf).find((text) => text !== null) ?? null;
}

/** Atom's author has a name in it; the rest is text. */
function authorOf(item: Element): string | null {
  const written = textOf(listOf(item.author)[0]) ?? textOf(listOf(item["dc:creator"])[0]);
  const name = written === null ? undefined : /<name>([^<]*)<\/name>/.exec(written)?.[1];
  return name === undefined ? written : decoded(name).trim();
}

/** As ISO 8601 where it is a date. */
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
  // Every second part stood in CDATA. Where there is markup around, what it escapes stays escaped.
  const isMarkup = parts.some((part, place) => place % 2 === 0 && part.includes("<"));
  const said = parts
    .map((part, place) => (place % 2 === 1 || isMarkup ? part : decoded(part)))
    .join("")
    .trim();
  return said === "" ? null : said.toWellFormed();
}

const known: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(lt|gt|amp|quot|apos));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return known[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? "\ufffd" : String.fromCodePoint(code);
  });
}

/** In the charset that the server says, else the document; U+0000 is in no XML. */
function decode(bytes: Uint8Array, charset: string | null): string {
  const head = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  const named = charset ?? /^[\s\S]{0,3}<\?xml[^>]*encoding=["']([\w.-]+)["']/.exec(head)?.[1] ?? "utf-8";
  return decoderFor(named).decode(bytes).replaceAll("\u0000", "\ufffd");
}

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    // An unknown charset: most text is UTF-8.
    return new TextDecoder();
  }
}
