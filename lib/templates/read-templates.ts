import { z } from "zod";
import { flowTestDocument } from "#lib/contract/flows/flow-test-document.ts";
import { newFlow } from "#lib/contract/flows/flows.ts";
import {
  type ListedTemplate,
  type TemplateCategory,
  type WholeTemplate,
  wantedColumn,
} from "#lib/contract/templates.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { notFound } from "#lib/errors.ts";
import { findAll } from "#lib/search-words.ts";
import { findService } from "#lib/services/model/all.ts";
import { allTemplates } from "./all.ts";

interface TemplateSearch {
  readonly page: number;
  readonly limit: number;
  readonly search?: string | undefined;
  readonly category?: TemplateCategory | undefined;
}

interface Template {
  readonly category: TemplateCategory;
  readonly id: string;
  readonly document: TemplateDocument;
}

type Node = TemplateDocument["nodes"][number];

const templates: readonly Template[] = Object.entries(allTemplates).flatMap(([category, files]) =>
  Object.entries(files).map(([id, document]) => ({ category: category as TemplateCategory, id, document })),
);
const listed = templates.map(listTemplate);

/** A page of matching templates, best first. */
export function listTemplates({ page, limit, search = "", category }: TemplateSearch) {
  const all = category === undefined ? listed : listed.filter((template) => template.category === category);
  const found = findAll(all, search, ({ name, description, services, category: its }) => [
    `${name} ${services.map((service) => service.name).join(" ")}`,
    `${description} ${its}`,
  ]);
  return { items: found.slice((page - 1) * limit, page * limit), total: found.length };
}

/** A template with its flow. Throws NOT_FOUND. */
export function readTemplate(id: string): WholeTemplate {
  const template = templates.find((candidate) => candidate.id === id);
  if (template === undefined) throw notFound("Template");
  const { template: header, ...flow } = template.document;
  const { text = flow.description ?? "", credentials = {}, tables = [], variables = {} } = header ?? {};
  return {
    ...listTemplate(template),
    text,
    credentials: Object.entries(credentials).map(([name, { types, help }]) => ({ name, types, help })),
    tables: [...tables],
    variables: Object.entries(variables).map(([name, help]) => ({
      name,
      value: initial(flow.variables[name]),
      help,
    })),
    flow,
  };
}

function listTemplate({ id, category, document: { name, description, trigger, nodes } }: Template): ListedTemplate {
  const all = nodesOf(nodes);
  const services = new Set(all.flatMap(({ config: { service } }) => (typeof service === "string" ? [service] : [])));
  return {
    id,
    name,
    description: description ?? "",
    category,
    trigger: trigger.type,
    nodeTypes: [...new Set(all.map(({ type }) => type))],
    services: [...services].flatMap((id) => {
      const service = findService(id);
      return service === undefined ? [] : [{ id: service.id, name: service.name, icon: service.icon }];
    }),
  };
}

/** Including those in loops. */
function nodesOf(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node) => {
    const body = node.config.body;
    const within = isJsonObject(body) && Array.isArray(body.nodes) ? body.nodes : [];
    return [node, ...nodesOf(within as unknown as Node[])];
  });
}

function initial(value: unknown): string | number {
  return typeof value === "number" ? value : String(value ?? "");
}

/** A template's header: its page of text, and what to connect, by the names in the flow. */
const templateHeader = z.strictObject({
  text: z.string().min(80),
  credentials: z.record(z.string(), z.strictObject({ types: z.array(z.string()).min(1), help: z.string() })),
  tables: z.array(z.strictObject({ name: z.string(), columns: z.array(wantedColumn) })),
  /** What each of the flow's variables is for. */
  variables: z.record(z.string(), z.string()),
});

/**
 * A template's file: the body of a `POST /flows`, and a header. Basic templates, which need nothing, have no header.
 */
export const templateDocument = newFlow.extend({
  template: templateHeader.optional(),
  tests: z.array(flowTestDocument).optional(),
});

export type TemplateDocument = z.output<typeof templateDocument>;
