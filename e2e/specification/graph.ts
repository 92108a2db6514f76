import type { Section } from "./section.ts";

const way = "graph-semantics > a node runs once all edges into it are settled and one of them was taken >";

export const graph: Section = {
  start: ["A run starts at nodes without incoming edges", `${way} a run starts at the nodes without incoming edges`],
  "trigger-edge": ["And at those with an edge from the trigger", `${way} an edge from the trigger starts a node`],
  join: [
    "A node runs once all edges into it are settled and one was taken",
    `${way} a join runs once, after all of its branches`,
    `${way} a join of an untaken and a taken branch runs`,
  ],
  skipped: ["Where none was taken it is skipped, as is what follows", `${way} what is skipped skips what follows it`],
  concurrent: [
    "Independent branches run at the same time",
    `${way} branches that do not depend on each other run at the same time`,
  ],
  failure: [
    "An uncaught failure fails the run; nothing new starts, the rest is skipped",
    "graph-semantics > failures > fail the run: nothing new starts, the rest is skipped",
  ],
  "in-flight": [
    "What is in flight finishes and is recorded",
    "graph-semantics > failures > let what is in flight finish, and it is recorded",
  ],
  "if-else-handles": [
    "An edge with handle or label true or false follows that outcome",
    "graph-semantics > if-else > goes the way of %s",
    "graph-semantics > if-else > plain edges labelled %s and %s say so themselves",
  ],
  "if-else-plain": [
    "Of plain edges the first is true, the next false, in the order of edges",
    "graph-semantics > if-else > of two plain edges the first is true and the next false, whatever the order of nodes",
    "graph-semantics > if-else > a plain edge takes the way that is left",
  ],
  "if-else-further": [
    "Further plain edges are false too, with the warning AMBIGUOUS_BRANCH",
    "graph-semantics > if-else > further plain edges are false too, and the run carries a warning",
  ],
  "if-else-one": [
    "One plain edge is the true branch; on false the run completes",
    "graph-semantics > if-else > one plain edge is the true branch: on false the path ends and the run completes",
  ],
  settled: [
    "Branches are settled when a version is made",
    "lib/engine/branches.test.ts > other edges > each if-else is settled by itself, and the edges stay in their order",
  ],
  switch: [
    "A switch has a handle for each case and default",
    "graph-semantics > switch > %j leaves by the case that is equal",
    "graph-semantics > switch > the first case whose condition holds is taken",
  ],
  "error-handle": [
    "An edge on the error handle takes the failure",
    "graph-semantics > failures > follow an edge on the error handle instead, with the failure as the output",
  ],
  "skipped-output": [
    "A skipped node's output is undefined",
    "expressions > the scope > the output of a skipped node is undefined, and that of a node which failed its error",
  ],
  "output-respond": [
    "The output is that of a respond node if one ran",
    "graph-semantics > the output of a run > is that of a respond node if one ran, wherever it stands",
  ],
  "output-end": [
    "Else that of the node that led nowhere further",
    "graph-semantics > the output of a run > is that of the node that ran and led nowhere further",
  ],
  "output-several": [
    "Of several the last in the order of nodes",
    "graph-semantics > the output of a run > of several ends is that of the last in the order of the nodes",
  ],
  "on-error": [
    "`onError: continue` turns a failure into the output {error: {message, code}}",
    "graph-semantics > failures > of a node with onError continue become its output, and the run goes on",
  ],
};
