import type { Section } from "./section.ts";

export const nodes: Section = {
  "if-else": [
    "if-else gives {result, branch}",
    "flows-execute > async: false > lists nodes in the flow's order, with output null where one did not run or failed",
  ],
  switch: [
    "switch gives {value, case}, by `equals` or `when`",
    "graph-semantics > switch > %j leaves by the case that is equal",
    "lib/nodes/switch.test.ts > the case that is taken > is told by `when` where there is one",
  ],
  transform: ["transform gives the value itself", "lib/nodes/transform.test.ts > the output is the value itself: %j"],
  log: [
    "log passes its input on; level info, message and data",
    "graph-semantics > the output of a run > of a log is its input",
    "lib/nodes/log.test.ts > it writes one entry, by default at the level info",
  ],
  respond: [
    "respond takes status (200), headers and body",
    "lib/nodes/respond.test.ts > it answers 200 with its input unless it says otherwise",
  ],
  code: [
    "code runs a function body over the same scope, within timeoutMs",
    "lib/nodes/code.test.ts > it has its code evaluated, with its time limit, and gives what comes back",
  ],
};
