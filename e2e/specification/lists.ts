import type { Section } from "./section.ts";

export const lists: Section = {
  "page-default": ["`page` counts from 1, which is the default", "lib/contract/query.test.ts > paging > has defaults"],
  "limit-default": [
    "`limit` is 20 unless told otherwise",
    "flows-list > pages > the default is 20 a page, the newest first",
  ],
  "limit-max": ["`limit` is at most 100", "lib/contract/query.test.ts > paging > a page has at most 100"],
  "page-below-1": ["A `page` or `limit` below 1 is 400", "flows-list > 400 for what a parameter cannot be > %s=%j"],
  "pagination-object": [
    "`pagination` has page, limit, total, totalPages, hasNext and hasPrev",
    "flows-list > pages > 25 flows at 10 a page are 3 pages",
  ],
  "total-25": ["25 items at 10 a page are 3 pages", "flows-list > pages > 25 flows at 10 a page are 3 pages"],
  none: [
    "Without any item there are 0 pages",
    "flows-list > pages > without any flow there are 0 pages",
    "executions-list > pages > without any execution there are 0 pages",
  ],
  "past-the-end": [
    "A page past the end is an empty list",
    "flows-list > pages > a page past the end is empty, with the right totals",
    "executions-list > pages > a page past the end is empty, with the right totals",
  ],
  ties: [
    "Ties are broken by id: pages neither repeat nor skip an item",
    "lists-by-model > lists > of flows: any filter, order and page is as the model has it",
    "lists-by-model > lists > of executions: any filter, order and page is as the model has it",
  ],
  "sort-and-order": [
    "`sortBy` and `order` take their known values only",
    "flows-list > 400 for what a parameter cannot be > %s=%j",
    "executions-list > 400 for what a parameter cannot be > %s=%j",
  ],
  "unknown-parameter": [
    "An unknown parameter is ignored",
    "flows-list > filters > of a repeated tag the first counts, and an unknown parameter is ignored",
  ],
  "every-wrong-parameter": [
    "All wrong parameters are told at once",
    "flows-list > 400 for what a parameter cannot be > every wrong parameter is told at once",
  ],
};
