import type { Section } from "./section.ts";

export const flowsImport: Section = {
  created: [
    "201 with the payload of create: a new draft with a URL of its own",
    "flow-copies > POST /flows/import > 201: what was exported, as a draft with a URL of its own",
  ],
  name: [
    "`name` is optional and wins over the document's",
    "flow-copies > POST /flows/import > 201: the request's name wins over the document's",
  ],
  "keep-variables": [
    "`overwriteVariables: false` keeps the newest namesake's values of the document's keys; true is the default",
    "flow-copies > POST /flows/import > 201: the newest namesake keeps its own values when variables are not to be overwritten",
  ],
  "other-major": [
    "A document of another major version is 400",
    "flow-copies > POST /flows/import > 400: another major version, no data, and a graph that is not sound, each named",
  ],
  "version-expected": [
    "`data.version` is expected",
    "flow-copies > POST /flows/import > 400: a document without a version, or without a flow",
  ],
};
