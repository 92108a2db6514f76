import { z } from "zod";
import {
  answer,
  integer,
  list,
  listOf,
  nothing,
  object,
  someNumber,
  someObject,
  someText,
  text,
  texts,
} from "./model/fields.ts";
import { defineService } from "./model/service.ts";

const docs = (place: string) => `https://developers.hubspot.com/docs/api-reference/${place}`;
const properties = object("Properties", 'The values by property, such as {"email": "ann@example.com"}.');
const associations = list("Associations", "What it belongs to, as HubSpot writes it.").optional();
const record = answer({ id: someText, properties: someObject, createdAt: someText, updatedAt: someText });
const objectType = text("Object", "Such as contacts, companies, deals or tickets.");
const id = text("Record", "The record's id.");
const limit = integer("Limit", "The page size, up to 100.", 100).optional();
const propertyNames = text("Properties", "Comma-separated names of the properties to return.").optional();
const pages = { cursor: "$response.body.paging?.next?.after", parameter: "after", items: "$response.body.results" };
const at = "/crm/v3/objects/{objectType}";

/** https://developers.hubspot.com/docs/api-reference: the CRM's objects, version 3. */
export const hubspot = defineService({
  id: "hubspot",
  name: "HubSpot",
  icon: { letters: "Hs", color: "#c8431a" },
  description: "Contacts, companies, deals and tickets of a HubSpot CRM.",
  baseUrl: "https://api.hubapi.com",
  credentials: [
    { type: "bearer", help: "The access token of a private app (pat-…)." },
    {
      type: "oauth2",
      help: "Your own public app.",
      authorizationUrl: "https://app.hubspot.com/oauth/authorize",
      tokenUrl: "https://api.hubapi.com/oauth/v1/token",
      scopes:
        "crm.objects.contacts.read crm.objects.contacts.write crm.objects.companies.read crm.objects.companies.write crm.objects.deals.read crm.objects.deals.write tickets",
    },
  ],
  operations: () => [
    {
      id: "create-contact",
      name: "Create a contact",
      method: "POST",
      path: "/crm/v3/objects/contacts",
      body: z.object({ properties, associations }),
      answer: record,
      docs: docs("crm-contacts-v3/basic/post-crm-v3-objects-contacts"),
    },
    {
      id: "create-deal",
      name: "Create a deal",
      method: "POST",
      path: "/crm/v3/objects/deals",
      body: z.object({ properties, associations }),
      answer: record,
      docs: docs("crm-deals-v3/basic/post-crm-v3-objects-0-3"),
    },
    {
      id: "create-record",
      name: "Create a record",
      method: "POST",
      path: at,
      parameters: z.object({ objectType }),
      body: z.object({ properties, associations }),
      answer: record,
      docs: docs("crm-objects-v3/basic/post-crm-v3-objects-objectType"),
    },
    {
      id: "read-record",
      name: "Read a record",
      method: "GET",
      path: `${at}/{id}`,
      parameters: z.object({
        objectType,
        id,
        properties: propertyNames,
        idProperty: text("Found by", "A unique property instead of the id, such as email.").optional(),
      }),
      answer: record,
      docs: docs("crm-objects-v3/basic/get-crm-v3-objects-objectType-objectId"),
    },
    {
      id: "update-record",
      name: "Update a record",
      method: "PATCH",
      path: `${at}/{id}`,
      parameters: z.object({
        objectType,
        id,
        idProperty: text("Found by", "A unique property instead of the id, such as email.").optional(),
      }),
      body: z.object({ properties }),
      answer: record,
      docs: docs("crm-objects-v3/basic/patch-crm-v3-objects-objectType-objectId"),
    },
    {
      id: "list-records",
      name: "List records",
      method: "GET",
      path: at,
      parameters: z.object({ objectType, properties: propertyNames, limit }),
      answer: answer({ results: listOf({ id: someText, properties: someObject }) }),
      pages,
      docs: docs("crm-objects-v3/basic/get-crm-v3-objects-objectType"),
    },
    {
      id: "search-records",
      name: "Search records",
      method: "POST",
      path: `${at}/search`,
      parameters: z.object({ objectType }),
      body: z.object({
        filterGroups: list("Filters", "Groups of filters, as HubSpot writes them.").optional(),
        query: text("Search", "Words to find.").optional(),
        sorts: list("Sorts", "In which order.").optional(),
        properties: texts("Properties", "Names of the properties to return.").optional(),
        limit,
        after: text("After", "The `paging.next.after` of the previous page.").optional(),
      }),
      reads: true,
      answer: answer({ total: someNumber, results: listOf({ id: someText, properties: someObject }) }),
      pages: { ...pages, in: "body" },
      docs: docs("crm-objects-v3/search/post-crm-v3-objects-objectType-search"),
    },
    {
      id: "archive-record",
      name: "Archive a record",
      method: "DELETE",
      path: `${at}/{id}`,
      parameters: z.object({ objectType, id }),
      answer: nothing,
      docs: docs("crm-objects-v3/basic/delete-crm-v3-objects-objectType-objectId"),
    },
  ],
});
