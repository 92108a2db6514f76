import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { oneOf, paging, searchText } from "./query.ts";
import { columnTypes } from "./tables/tables.ts";

export const templateCategories = [
  "basics",
  "sales",
  "marketing",
  "support",
  "finance",
  "operations",
  "engineering",
  "data",
] as const;

export type TemplateCategory = (typeof templateCategories)[number];

const templateId = z.string().meta({ examples: ["form-to-crm"] });

const listedTemplate = z
  .object({
    id: templateId.describe("Its id: a word such as `form-to-crm`"),
    name: z.string().describe("Its name"),
    description: z.string().describe("What it does, in a sentence"),
    category: z.enum(templateCategories).describe("Its category"),
    trigger: z.string().describe("The type of its trigger"),
    nodeTypes: z.array(z.string()).describe("The types of its nodes"),
    services: z
      .array(
        z.object({
          id: z.string().describe("Its id: a word such as `hubspot`"),
          name: z.string().describe("Its name"),
          icon: z
            .object({
              letters: z.string().describe("One or two letters"),
              color: z.string().describe("Their background, as `#rrggbb`"),
            })
            .describe("The service's tile"),
        }),
      )
      .describe("The services it calls"),
  })
  .meta({ id: "Template" });

const wantedCredential = z.object({
  name: z.string().describe("Its name"),
  types: z.array(z.string()).describe("The credential types it accepts"),
  help: z.string().describe("What it is for"),
});
export const wantedColumn = z.object({
  name: z.string().describe("Its name"),
  type: z.enum(columnTypes).describe("Its type"),
  unique: z.boolean().optional().describe("Whether each value occurs only once in the table; such a column is indexed"),
  required: z.boolean().optional().describe("Whether every row has a value"),
  indexed: z.boolean().optional().describe("Whether filtering and sorting by it stay fast in a large table"),
});
const wantedTable = z.object({
  name: z.string().describe("Its name"),
  columns: z.array(wantedColumn).describe("The columns the table needs"),
});
const wantedVariable = z.object({
  name: z.string().describe("Its name"),
  value: z.union([z.string(), z.number()]).describe("Its default"),
  help: z.string().describe("What it is for"),
});

const fullTemplate = listedTemplate
  .extend({
    text: z.string().describe("What it does and what it needs, in a paragraph"),
    credentials: z.array(wantedCredential).describe("The credentials it uses, by name"),
    tables: z.array(wantedTable).describe("The tables it reads and writes"),
    variables: z.array(wantedVariable).describe("The variables to set, with their defaults"),
    flow: z
      .unknown()
      .meta({ type: "object", additionalProperties: true })
      .describe("The body for `POST /flows`, with tests and a sample"),
  })
  .meta({ id: "WholeTemplate" });

const tag = "Templates";

export const listTemplates = endpoint({
  method: "GET",
  path: "/templates",
  tag,
  summary: "List templates",
  description:
    "Flows to start from. With `search`, those whose name, services and description contain all its words, best matches first.",
  scope: "flows:read",
  query: z.object({
    ...paging,
    search: searchText("search").optional().describe("Words that must all match"),
    category: oneOf("category", templateCategories).optional().describe("Only templates of this category"),
  }),
  shape: "list",
  answer: listedTemplate,
});

export const readTemplate = endpoint({
  method: "GET",
  path: "/templates/:id",
  tag,
  summary: "Read a template",
  description: `Returns its text, what to connect, and \`flow\`: the body for \`POST /flows\` that creates it, with its tests. The flow uses
the names in \`credentials\`: give yours the same names, or change them in the flow. Create missing tables from their \`columns\`.`,
  scope: "flows:read",
  params: z.object({ id: templateId.describe("The template's id: a word such as `form-to-crm`") }),
  answer: fullTemplate,
});

export type ListedTemplate = z.output<typeof listedTemplate>;
export type WholeTemplate = z.output<typeof fullTemplate>;
export type WantedCredential = z.output<typeof wantedCredential>;
export type WantedTable = z.output<typeof wantedTable>;
