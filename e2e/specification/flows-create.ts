import type { Section } from "./section.ts";

export const flowsCreate: Section = {
  created: [
    "201 with the whole flow and its generated URL",
    "flows-create > a created flow > is answered with 201 and all of its fields, defaults included",
  ],
  invalid: [
    "400 with details that map each wrong field to a message",
    "flows-create > 400 names the field that is missing or wrong > %s: %j",
  ],
  missing: [
    "A missing field is told as required",
    "flows-create > 400 names the field that is missing or wrong > name, trigger and nodes are required, all told at once",
  ],
  paths: [
    "Details name nested fields by path, as nodes[2].config.url",
    "lib/http/parse-input.test.ts > every field that is wrong is told, by its path, with its first reason",
  ],
  "same-name": [
    "Flows may share a name",
    "flows-create > a created flow > may share its name with others, and its name is trimmed",
  ],
  "sound-graph": [
    "The graph is checked on every write",
    "flows-create > a graph that is not sound is refused on every write > %s",
    "flows-update > 400 > the graph is checked as it would be afterwards",
  ],
};
