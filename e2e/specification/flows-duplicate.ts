import type { Section } from "./section.ts";

export const flowsDuplicate: Section = {
  answer: [
    "201 with id, name, status draft and createdAt",
    "flow-copies > POST /flows/:id/duplicate > 201: a draft with a name, a URL and versions of its own",
  ],
  name: [
    "`name` defaults to the original's and ` (copy)`",
    "flow-copies > POST /flows/:id/duplicate > 201: the longest name still has room for its suffix",
  ],
  defaults: [
    "Variables and connections are copied unless told otherwise",
    "flow-copies > POST /flows/:id/duplicate > 201: a draft with a name, a URL and versions of its own",
  ],
  without: [
    "`includeVariables` and `includeConnections` false leave variables and edges out",
    "flow-copies > POST /flows/:id/duplicate > 201: without variables and connections when they are not wanted",
  ],
  own: [
    "The copy has a trigger URL of its own and no executions",
    "flow-copies > POST /flows/:id/duplicate > 201: a draft with a name, a URL and versions of its own",
  ],
  refused: ["A wrong field is 400, a missing flow 404", "flow-copies > POST /flows/:id/duplicate > 400 and 404"],
};
