import type { Section } from "./section.ts";

export const flowStatus: Section = {
  "create-omitted": [
    "Created without a status, a flow is a draft with a trigger URL",
    "flows-create > a created flow > is answered with 201 and all of its fields, defaults included",
  ],
  "create-given": ["Created with a status, a flow has it", "flows-create > a created flow > keeps what was given"],
  patched: ["A status that is sent is the new one, from any", "flows-update > only what is sent changes > %s: %j"],
  duplicated: [
    "A duplicate is a draft with an id of its own",
    "flow-copies > POST /flows/:id/duplicate > 201: a draft with a name, a URL and versions of its own",
  ],
  "active-needs-config": ["An active flow stays fit to run", "flows-update > 400 > an active flow stays fit to run"],
};
