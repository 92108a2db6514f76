import type { Examples } from "./example.ts";

const formToCrm = {
  id: "form-to-crm",
  name: "Form to CRM",
  description: "A contact form on your own page creates contacts in HubSpot, and loses no one when HubSpot is down.",
  category: "sales",
  trigger: "form",
  nodeTypes: ["call", "table"],
  services: [{ id: "hubspot", name: "HubSpot", icon: { letters: "Hs", color: "#c8431a" } }],
};

export const templateExamples: Examples = {
  "GET /templates": { answer: formToCrm },
  "GET /templates/:id": {
    answer: {
      ...formToCrm,
      text: "People fill in a form at the flow's own URL. Each becomes a contact in HubSpot.",
      credentials: [{ name: "hubspot", types: ["bearer"], help: "The access token of a private app of HubSpot." }],
      tables: [{ name: "unsent-leads", columns: [{ name: "email", type: "text" }] }],
      variables: [{ name: "channel", value: "#sales", help: "The id or name of the Slack channel." }],
      flow: { name: "Form to CRM", trigger: { type: "form", config: { fields: [{ name: "email" }] } }, nodes: [] },
    },
  },
};
