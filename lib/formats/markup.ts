import domino from "@mixmark-io/domino";
import { XMLBuilder, XMLParser } from "fast-xml-parser";
import { marked } from "marked";
import Turndown from "turndown";
import { conversionLimits, Unconvertible } from "./formats.ts";

const names = { attributeNamePrefix: "@", textNodeName: "#text", ignoreAttributes: false } as const;

/** XML as a value: attributes as `@name`, text beside them as `#text`, repeated elements as a list. */
export function readXml(text: string): unknown {
  // Entities could expand without end, or name files.
  if (/<!ENTITY/i.test(text)) throw new Unconvertible("it defines entities, which are not expanded");
  const parser = new XMLParser({
    ...names,
    htmlEntities: true,
    parseTagValue: false,
    parseAttributeValue: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    maxNestedTags: conversionLimits.levels,
  });
  try {
    return parser.parse(text, true);
  } catch (error) {
    throw new Unconvertible(`it is not well-formed XML: ${messageOf(error)}`);
  }
}

export function writeXml(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value) || Object.keys(value).length !== 1) {
    throw new Unconvertible("XML is made of an object with one member, which is its root element");
  }
  requireNames(value, 0);
  const builder = new XMLBuilder({ ...names, format: true, suppressBooleanAttributes: false });
  return builder.build(value);
}

/** Invalid names would be written as markup. */
function requireNames(value: unknown, level: number): void {
  if (level > conversionLimits.levels) throw new Unconvertible("it is nested too deeply");
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const isName = Array.isArray(value) || name === "#text" || /^@?[\p{L}_][\p{L}\p{N}_.:-]*$/u.test(name);
    if (!isName) throw new Unconvertible(`${JSON.stringify(name.slice(0, 60))} is not a name that XML can have`);
    requireNames(member, level + 1);
  }
}

/** The selected elements, or the whole body. */
export function selectHtml(html: string, select: string | undefined): Element[] {
  const document = domino.createDocument(html);
  if (select === undefined) return [document.body];
  try {
    return Array.from(document.querySelectorAll(select));
  } catch (error) {
    throw new Unconvertible(`select is not a CSS selector: ${messageOf(error)}`);
  }
}

export function elementsAsValue(elements: readonly Element[]): object[] {
  return elements.map((element) => ({
    text: textOf(element),
    html: element.innerHTML,
    attributes: Object.fromEntries(Array.from(element.attributes).map(({ name, value }) => [name, value])),
  }));
}

export function htmlOf(elements: readonly Element[], isDocument: boolean): string {
  return elements.map((element) => (isDocument ? element.innerHTML : element.outerHTML)).join("\n");
}

/** The readable text, without scripts and styles. */
export function textOf(element: Element): string {
  for (const hidden of Array.from(element.querySelectorAll("script, style, template, noscript"))) hidden.remove();
  const text = element.textContent ?? "";
  return text
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n\s*/g, "\n")
    .trim();
}

export function markdownOf(html: string): string {
  return new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" })
    .remove(["script", "style"])
    .turndown(html);
}

/** Markdown as HTML. HTML in it is kept unchanged: the result is not sanitized. */
export function htmlOfMarkdown(text: string): string {
  return marked.parse(text, { async: false });
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0]?.slice(0, 200) ?? "";
}
