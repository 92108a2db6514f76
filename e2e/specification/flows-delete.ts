import type { Section } from "./section.ts";

export const flowsDelete: Section = {
  gone: [
    "204 without a body, and the flow is gone for good",
    "flows-delete > a deleted flow > is answered with 204 and nothing else, and is gone",
  ],
  missing: [
    "A missing flow is 404",
    "flows-delete > a deleted flow > is answered with 204 and nothing else, and is gone",
  ],
  "keeps-executions": [
    "`deleteExecutions` is false by default: the records stay readable",
    "flows-delete > a deleted flow > leaves its executions readable",
  ],
  "deletes-executions": [
    "`deleteExecutions=true` deletes all executions of the flow",
    "flows-delete > a deleted flow > takes its executions along with deleteExecutions=true, and no others",
  ],
  flag: [
    "`deleteExecutions` is true or false in full",
    "flows-delete > 400 for a flag that is neither true nor false, and nothing is deleted > deleteExecutions=%s",
  ],
  running: [
    "What is running is cancelled",
    "flows-delete > a deleted flow > stops what is running (deleteExecutions=%s)",
  ],
  "if-match": [
    "`If-Match` with another version is 409 and nothing is deleted",
    "flows-delete > 409 with If-Match for another version, and nothing is deleted",
  ],
};
