import type { Section } from "./section.ts";

export const expressions: Section = {
  type: [
    "A string that is one expression keeps the value's type",
    "expressions > a string that is one expression keeps the value's type > %s",
  ],
  joined: [
    "Mixed with text it is joined: objects as JSON, null and undefined as nothing",
    "expressions > an expression in other text is joined to it > %s",
  ],
  braces: [
    "The end is found by parsing: braces in objects and strings are no end",
    "lib/expressions/template.test.ts > what a string is taken apart into > %j",
    "lib/expressions/template.test.ts > random strings > what was put in is found again: texts and expressions, in their order",
  ],
  literal: [
    "`\\{{` is a literal",
    "lib/expressions/config-plan.test.ts > filling > an escaped brace is text, also where there is nothing else",
  ],
  depth: [
    "Objects and arrays are resolved at any depth",
    "expressions > an expression in other text is joined to it > at any depth of objects and lists",
  ],
  "without-braces": [
    "condition and transform may go without braces, and be function bodies",
    "expressions > condition and transform may go without braces > %s",
  ],
  scope: [
    "The scope is $trigger, $nodes, $node, $vars, $credentials, $switch, $execution and $flow",
    "lib/executions/scope.test.ts > what a node's expressions see > is what the contract names",
    "expressions > the scope > %s",
  ],
  "node-before": [
    "$node is the node before: id, name, output; at the start the trigger's body",
    "expressions > the scope > $node is the node before, with its id and name",
    "lib/executions/scope.test.ts > what a node's expressions see > at the start the node before is the trigger",
  ],
  switch: [
    "$switch is the nearest switch above: value and case",
    "graph-semantics > switch > $switch is the nearest switch above that ran",
  ],
  "execution-flow": [
    "$execution and $flow are those of the run",
    "expressions > the scope > $execution and $flow are those of the run",
  ],
  headers: [
    "Header names are lower case",
    "expressions > the scope > headers have lower-case names, and the query its values",
  ],
  "no-host": [
    "No host object is reachable",
    "expressions > the scope > no host object is within reach",
    "lib/sandbox/payloads.test.ts > every payload > reaches nothing of the host",
  ],
  failure: [
    "A failure names the expression, the position and the reason",
    "expression-failures > a failing expression names itself, its field, the position and the reason > %s",
  ],
  undefined: [
    "A member of undefined is an error; `?.` works",
    "expression-failures > a failing expression names itself, its field, the position and the reason > reading a member of undefined",
    "expression-failures > a failing expression names itself, its field, the position and the reason > ?. reads as undefined instead",
  ],
  json: [
    "Functions, symbols, BigInt, cycles and promises are errors that name the type; undefined is null",
    "expression-failures > a value that JSON cannot hold is an error that names its type > %s",
    "lib/engine/outcome.test.ts > a value has its JSON text, and undefined is null",
  ],
  limits: [
    "250 ms an expression, 10 s a code node, 32 MiB, results of 1 MiB",
    "expression-failures > limits > %s ends its node and nothing else",
    "expression-failures > limits > code that never ends is stopped by its own limit",
  ],
  killed: [
    "What cannot be interrupted is killed and delays nobody else",
    "lib/sandbox/children.test.ts > what cannot be interrupted is killed > only the guilty task of a batch fails, and the others get their results",
  ],
  "data-is-text": [
    "Text that arrives with braces stays text",
    "expressions > text that arrives is never evaluated > %s stays text",
  ],
  masked: [
    "A credential's value is masked in outputs, logs, errors and events",
    "canaries > no secret is told, stored, delivered or logged",
    "credential-use > what comes back from outside is hidden too > before the credential is used, and in a node that does not use it",
  ],
  "masked-forms": [
    "Also in base64 and URL-encoded",
    "lib/executions/mask-secrets.test.ts > a secret is hidden however it is written > %s",
  ],
  evaluate: [
    "`POST /expressions/evaluate` gives value and type, or message and position",
    "expressions-evaluate > POST /expressions/evaluate > 200: the value and its type, with or without braces",
    "expressions-evaluate > POST /expressions/evaluate > 200: a failure says why and where",
    "expressions-evaluate > POST /expressions/evaluate > 200: as a %s, %s comes to what it does in a run",
  ],
  conditions: [
    "A condition is one expression as a whole, wherever its braces stand",
    "graph-semantics > if-else > goes the way of %s",
    "lib/expressions/template.test.ts > a field that decides > %j is one expression",
  ],
  item: [
    "$item and $index are there inside a loop",
    "loops > a loop > comes to what its body came to for each item; the body sees the item, its place, and what was before",
  ],
};
