import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { flowName } from "#lib/engine/flow.ts";

const tag = "Account";

/** Filters that a person may save in a workspace. */
export const savedFiltersMax = 100;
const fieldsMax = 20;

const part = (label: string, max: number) =>
  z.string(`${label} must be text`).min(1, `${label} must not be empty`).max(max, `${label} is too long`);

const filter = z
  .record(part("a filter's field", 64), part("a filter's value", 1_000), "filter must be an object of text")
  .refine((fields) => Object.keys(fields).length <= fieldsMax, `filter must have at most ${fieldsMax} fields`);

export const savedFilter = z
  .object({
    id: z.string().describe("Its id"),
    name: z.string().describe("The person's name for it"),
    filter: z
      .record(z.string(), z.string())
      .describe("Query parameters of the runs page, such as `status` and `since`"),
    createdAt: timestamp.describe("When it was created"),
  })
  .meta({ id: "SavedFilter" });

export const listSavedFilters = endpoint({
  method: "GET",
  path: "/account/saved-filters",
  tag,
  summary: "List my saved filters",
  description: "The filters of the runs list that you have saved in this workspace, by name.",
  scope: null,
  peopleOnly: true,
  answer: z.array(savedFilter),
});

export const saveFilter = endpoint({
  method: "POST",
  path: "/account/saved-filters",
  tag,
  summary: "Save a filter",
  description: `Under a name; an existing one with the same name is replaced. At most ${savedFiltersMax}.`,
  scope: null,
  peopleOnly: true,
  body: z.object({
    name: flowName.describe("The person's or the key's name"),
    filter: filter.describe("Query parameters of the runs page, such as `status` and `since`"),
  }),
  bodyRequired: true,
  status: 201,
  answer: savedFilter,
});

export const deleteSavedFilter = endpoint({
  method: "DELETE",
  path: "/account/saved-filters/:id",
  tag,
  summary: "Delete a saved filter",
  description: "The executions that it finds stay as they are.",
  scope: null,
  peopleOnly: true,
  params: idParams("filter"),
  shape: "empty",
});

export type NewSavedFilter = z.output<(typeof saveFilter)["body"]>;
export type ShownSavedFilter = z.input<typeof savedFilter>;
