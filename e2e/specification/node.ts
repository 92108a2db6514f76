import type { Section } from "./section.ts";

export const node: Section = {
  "id-unique": [
    "A node's id is unique in its flow and not empty",
    "flows-create > a graph that is not sound is refused on every write > %s",
  ],
  "known-types": [
    "A node is of a known type; the refusal lists them",
    "flows-create > a graph that is not sound is refused on every write > %s",
  ],
  "own-types": [
    "http-request, if-else, transform and log are among the types",
    "node-types > the catalogue of node types > has at least the types that flows are made of, each once",
  ],
  defaults: [
    "`name` defaults to the id, `position` to the origin, `config` to {}",
    "flows-create > a created flow > has nodes named by their id, at the origin and without config unless told otherwise",
  ],
  position: [
    "`position` is `{x, y}` of finite numbers",
    "flows-create > 400 names the field that is missing or wrong > a position that JSON can write but no number can hold",
  ],
  "config-required": [
    "Only what a node cannot do without is required in its config",
    "node-types > the catalogue of node types > %s asks for %j and no more",
  ],
  "config-while-draft": [
    "A config may be incomplete until the flow is active",
    "flows-create > a created flow > may be half made while it is a draft, but not when it is to be active",
  ],
  "config-when-active": [
    "Activating names every config field that is missing",
    "flows-create > a created flow > may be half made while it is a draft, but not when it is to be active",
  ],
  "config-with-templates": [
    "A value that a template will give is not judged before",
    "flows-create > a created flow > may be active with templates where values will come later",
  ],
  "run-of-incomplete": [
    "A run of a flow with an invalid node fails at that node",
    "flows-execute > what a run is given > a flow with a node that is not ready runs up to it and fails there",
  ],
  count: [
    "At most 1,000 nodes and 5,000 edges",
    "flows-create > a graph that is not sound is refused on every write > 1000 nodes and 5000 edges are allowed, one more of either is not",
  ],
  "common-fields": [
    "Every node takes `onError` and `notes`",
    "lib/nodes/registry.test.ts > the node type %s > keeps fields that every node has",
  ],
};
