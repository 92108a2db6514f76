import type { Examples } from "./example.ts";

export const nodeTypeExamples: Examples = {
  "GET /node-types": {
    answer: [
      {
        type: "if-else",
        name: "If / else",
        family: "logic",
        icon: "arrows-split",
        description: "Goes one of two ways.",
        effect: "none",
        handles: { fixed: ["true", "false"] },
        configSchema: { type: "object", properties: { condition: { type: "string" } }, required: ["condition"] },
        example: { condition: "$trigger.body.total > 100" },
      },
    ],
  },
};
