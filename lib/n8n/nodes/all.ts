import { allServices } from "#lib/services/model/all.ts";
import type { N8nNode } from "../document.ts";
import { own } from "../source.ts";
import { branchNodes } from "./branches.ts";
import type { Converter } from "./convert-node.ts";
import { dataNodes } from "./data.ts";
import { listNodes } from "./lists.ts";
import { messageNodes } from "./messages.ts";
import { pauseNodes } from "./pauses.ts";
import { requestNodes } from "./requests.ts";
import { serviceNodes } from "./services.ts";
import { tableNodes } from "./tables.ts";

const converters: Readonly<Record<string, Converter>> = {
  ...dataNodes,
  ...listNodes,
  ...branchNodes,
  ...requestNodes,
  ...pauseNodes,
  ...messageNodes,
  ...serviceNodes,
  ...tableNodes,
};

/** Packages whose nodes are known; others may use the same names. */
const packages = new Set(["n8n-nodes-base", "@n8n/n8n-nodes-langchain", "n8n-nodes-langchain"]);

export function isKnownPackage({ fullType, type }: N8nNode): boolean {
  const name = fullType.slice(0, Math.max(0, fullType.length - type.length - 1));
  return name === "" || packages.has(name);
}

/** The converter for a node; undefined if there is no counterpart here. */
export function converterOf(node: N8nNode): Converter | undefined {
  return isKnownPackage(node) ? own(converters, node.type) : undefined;
}

const microsoft365 = /^microsoft(?:excel|onedrive|outlook|sharepoint|teams|todo)$/;

/** The service that a node without a converter calls, if there is one here: `Google Sheets`. */
export function serviceLike(node: N8nNode): string | undefined {
  if (!isKnownPackage(node)) return undefined;
  const type = node.type.toLowerCase().replace(/tool$/, "");
  const id = microsoft365.test(type) ? "microsoft-graph" : type.replace(/^aws(?=s3$)/, "");
  return allServices.find((service) => service.id.replaceAll("-", "") === id.replaceAll("-", ""))?.name;
}

export const isCode = (node: N8nNode) =>
  ["code", "function", "functionItem"].includes(node.type) && isKnownPackage(node);
export const isWait = (node: N8nNode) => ["wait"].includes(node.type) && isKnownPackage(node);
export const isLoop = (node: N8nNode) => node.type === "splitInBatches" && isKnownPackage(node);
