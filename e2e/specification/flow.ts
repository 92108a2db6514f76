import type { Section } from "./section.ts";

export const flow: Section = {
  id: [
    "`id` is the service's, whatever a client sends",
    "flows-create > a created flow > ignores fields that clients may not write, and unknown ones",
  ],
  "name-required": [
    "`name` is required on create",
    "flows-create > 400 names the field that is missing or wrong > name, trigger and nodes are required, all told at once",
  ],
  "name-bounds": [
    "`name` has 1 to 255 characters after trimming",
    "lib/engine/flow.test.ts > each bound: the limit is taken, one more is not > %s",
    "lib/engine/flow.test.ts > each bound: the limit is taken, one more is not > a name is counted after it was trimmed",
  ],
  description: [
    "`description` is optional",
    "flows-create > a created flow > is answered with 201 and all of its fields, defaults included",
  ],
  "description-bound": [
    "`description` has at most 5,000 characters",
    "flows-create > 400 names the field that is missing or wrong > %s: %j",
  ],
  status: [
    "`status` is draft, inactive or active",
    "flows-create > 400 names the field that is missing or wrong > %s: %j",
  ],
  "status-default": [
    "A new flow is a draft unless told otherwise",
    "flows-create > a created flow > is answered with 201 and all of its fields, defaults included",
  ],
  tags: ["`tags` is a list of text, empty by default", "flows-create > a created flow > keeps what was given"],
  "tags-bounds": [
    "At most 50 tags of 1 to 64 characters",
    "flows-create > 400 names the field that is missing or wrong > names of 255 characters, 50 tags and descriptions of 5000 characters are within bounds",
    "flows-create > 400 names the field that is missing or wrong > %s: %j",
  ],
  variables: ["`variables` is any object, empty by default", "flows-create > a created flow > keeps what was given"],
  "variables-not-listed": [
    "`variables` is told on create and single read, not in lists",
    "flows-list > a list item > has the fields of the list and no others",
  ],
  "trigger-required": [
    "`trigger` is required on create, with a known type",
    "flows-create > 400 names the field that is missing or wrong > name, trigger and nodes are required, all told at once",
  ],
  "nodes-required": [
    "`nodes` is required on create; an empty list is taken",
    "flows-create > 400 names the field that is missing or wrong > name, trigger and nodes are required, all told at once",
    "flows-create > a created flow > is answered with 201 and all of its fields, defaults included",
  ],
  edges: [
    "`edges` is optional, empty by default",
    "flows-create > a created flow > is answered with 201 and all of its fields, defaults included",
  ],
  "created-at": [
    "`createdAt` and `updatedAt` are the service's",
    "flows-create > a created flow > ignores fields that clients may not write, and unknown ones",
  ],
  "last-executed-at": [
    "`lastExecutedAt` is null until the first run, and told in lists and single reads",
    "flows-read > a single flow > is what was created, with the figures of its runs",
    "flows-list > a list item > counts the flow's runs and tells when the last one began",
  ],
  "execution-count": [
    "`executionCount` is told in lists and single reads",
    "flows-list > a list item > counts the flow's runs and tells when the last one began",
  ],
  "average-execution-time": [
    "`averageExecutionTime` is over completed runs, null without any",
    "flows-read > a single flow > averages over completed runs only",
  ],
  settings: [
    "`settings` holds timeoutMs, concurrency, retentionDays and canvas",
    "flows-create > a created flow > keeps what was given",
    "flows-update > only what is sent changes > settings can be taken away",
  ],
  "text-in-names": [
    "U+0000 and lone surrogates are refused in names, tags and ids",
    "lib/engine/flow.test.ts > text that a database cannot hold > %j is refused in names, tags and ids",
    "flows-create > 400 names the field that is missing or wrong > %s: %j",
  ],
  concurrency: [
    "`settings.concurrency` limits runs at once, for each key, by the policy queue, skip or cancel-previous",
    "flow-concurrency > queue > lets runs wait for their turn, and begin one after the other in the order in which they came",
    "flow-concurrency > queue > holds for each key by itself",
    "flow-concurrency > skip > ends a run that comes while the flow has all that it may, as cancelled and with the reason",
    "flow-concurrency > cancel-previous > ends the run that is under way, and what it was calling is let go",
  ],
};
