import { accessWords } from "./words/access.ts";
import { backtestWords } from "./words/backtests.ts";
import { executionWords } from "./words/executions.ts";
import { flowWords } from "./words/flows.ts";
import { serviceWords } from "./words/services.ts";
import { tableWords } from "./words/tables.ts";
import { webhookWords } from "./words/webhooks.ts";

/** Fields of every list and of everything stored. */
const commonWords = {
  id: "Its id",
  createdAt: "When it was made",
  updatedAt: "When it was changed last",
  success: "Whether it was done",
  data: "What was asked for",
  pagination: "Where this page stands in the list",
  page: "Number of the page, from 1",
  limit: "Items a page",
  order: "Ascending or descending",
  sortBy: "What the list is ordered by",
  total: "All items that match",
  totalPages: "Pages in all; 0 when nothing matches",
  hasNext: "Whether a page follows",
  hasPrev: "Whether a page comes before",
  searchedSince: "Start of the earliest item that a search looked at, where it did not look at all",
  startDate: "From then on",
  endDate: "Up to then",
  code: "What went wrong, for programs",
  message: "What went wrong, for people",
  details: "More about it: paths of fields and what is wrong with each, or what the code says",
} as const;

/**
 * Descriptions of fields and parameters by name; if a name has another meaning in one place, by `Place.name`, where the
 * place is an operation, a named schema or a tag. Separate from the schemas, which programs read far more often than
 * people.
 */
export const fieldWords: Readonly<Record<string, string>> = {
  ...commonWords,
  ...flowWords,
  ...backtestWords,
  ...executionWords,
  ...webhookWords,
  ...accessWords,
  ...tableWords,
  ...serviceWords,
};
