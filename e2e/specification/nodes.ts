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
  delay: [
    "delay waits `ms` or `until`",
    "waits > delay > passes on what it was given, a while later",
    "waits > delay > until a time that is past is none",
  ],
  wait: [
    "wait goes on with a call's body, once",
    "waits > a wait for a call > goes on with the call's body; the run completes",
    "waits > a wait for a call > is resumed once: of two calls at the same moment one wins, the other is told",
  ],
  "wait-timeout": [
    "wait's `timeoutMs` ends it",
    "waits > a wait with a time limit > leaves by `timeout` when nobody came, and not by its plain edge",
    "waits > a wait with a time limit > fails when nothing follows it",
  ],
  "wait-form": [
    "wait's `form` is asked on a page of its own",
    "waits > a wait with a form > is answered on its page, without JavaScript; what does not fit is said there",
  ],
  merge: [
    "merge makes an object keyed by node id, an array, or takes the first",
    "lib/nodes/merge.test.ts > a merge > makes an object keyed by node id, whatever the ids are",
    "lib/nodes/merge.test.ts > a merge > makes an array in the order of the edges",
    "lib/nodes/merge.test.ts > a merge > takes the first that there is",
  ],
  stop: [
    "stop ends the run as completed or failed, with message and output",
    "sub-flows > a stop > ends the run with its output, and what follows is skipped",
    "lib/nodes/stop.test.ts > a stop > with success has the output that it is told, else its input",
    "lib/nodes/stop.test.ts > a stop > with an error fails with its message",
  ],
  loop: [
    "loop runs its body, or a flow, for each of `items`: one after the other or `concurrency` at once",
    "loops > a loop > comes to what its body came to for each item; the body sees the item, its place, and what was before",
    "loops > a loop > of 1,000 items calls outside for each once, five at a time, under keys of their own",
    "loops > a loop over a flow > runs it for each item as an execution of its own",
  ],
  "loop-errors": [
    "`onItemError` stop fails with the first item that fails, collect keeps its error; `maxItems` bounds the list",
    "loops > a loop > fails with the first item that fails, or keeps its error in its place",
    "lib/nodes/loop.test.ts > a loop > of more items than it may have fails",
  ],
  "sub-flow": [
    "sub-flow runs another flow with `data`, and waits for it unless `wait` is false",
    "sub-flows > a sub-flow > runs with its data as an execution of its own, and its output is there when it has ended",
    "sub-flows > a sub-flow > that is not waited for goes on by itself, and its failure is its own",
  ],
};
