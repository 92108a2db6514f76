import type { Section } from "./section.ts";

export const edge: Section = {
  ends: [
    "`source` and `target` name nodes of the flow",
    "flows-create > a graph that is not sound is refused on every write > %s",
  ],
  "more-fields": [
    "An edge may carry id, sourceHandle, targetHandle and label; what was not sent is not invented",
    "flows-create > a created flow > has edges with only the fields that were sent",
  ],
  "from-trigger": [
    "`trigger` as a source is the trigger itself",
    "graph-semantics > a node runs once all edges into it are settled and one of them was taken > an edge from the trigger starts a node",
  ],
  "no-cycle": [
    "Neither self-loops nor cycles",
    "flows-create > a graph that is not sound is refused on every write > %s",
    "lib/engine/graph.test.ts > random graphs > a circle is found exactly when there is one, and what is named is one",
  ],
  "known-handle": [
    "A `sourceHandle` is one that the node's type has",
    "flows-create > a graph that is not sound is refused on every write > %s",
  ],
  "as-sent": [
    "Edges come back unchanged and in their order",
    "lib/engine/branches.test.ts > other edges > each if-else is settled by itself, and the edges stay in their order",
  ],
};
