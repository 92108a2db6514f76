import type { Section } from "./section.ts";

export const flowsList: Section = {
  item: [
    "An item has eleven fields, and neither variables nor edges",
    "flows-list > a list item > has the fields of the list and no others",
  ],
  status: [
    "`status` is active, inactive or draft",
    "flows-list > filters > status is exact",
    "flows-list > 400 for what a parameter cannot be > %s=%j",
  ],
  tag: ["`tag` matches a tag whole", "flows-list > filters > a tag is matched whole"],
  search: [
    "`search` finds part of a name or description in any case",
    "flows-list > filters > search finds names and descriptions, whatever the case",
  ],
  "search-plain": [
    "`%`, `_` and the backslash are plain characters",
    "flows-list > filters > search takes %j as plain characters",
    "flows-list > filters > search finds a backslash",
  ],
  "sort-by": [
    "`sortBy` is name, createdAt or updatedAt",
    "flows-list > pages > by %s %s, %i a page: no flow repeats and none is skipped",
  ],
  order: ["`order` is asc or desc", "flows-list > pages > descending is ascending backwards"],
  default: [
    "The newest first unless told otherwise",
    "flows-list > pages > the default is 20 a page, the newest first",
  ],
  together: [
    "Filters combine and count in the totals",
    "flows-list > filters > filters combine, and count in the totals",
    "lists-by-model > lists > of flows: any filter, order and page is as the model has it",
  ],
};
