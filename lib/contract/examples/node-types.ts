import type { Examples } from "./example.ts";

export const nodeTypeExamples: Examples = {
  "GET /node-types": {
    answer: [
      {
        type: "if-else",
        name: "If / else",
        family: "logic",
        icon: "arrows-split",
        iconPath: "M21 17h-8l-3.5 -5h-6.5M21 7h-8l-3.495 5M18 10l3 -3l-3 -3M18 20l3 -3l-3 -3",
        summary: ["when {condition}"],
        description: "Takes one of two branches.",
        effect: "none",
        handles: {
          fixed: ["true", "false"],
          labels: { true: ["yes", "then"], false: ["no", "else"] },
        },
        hasBody: false,
        hasSteps: false,
        waitsFor: null,
        configSchema: { type: "object", properties: { condition: { type: "string" } }, required: ["condition"] },
      },
    ],
  },
};
