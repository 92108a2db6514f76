import { signaturePresets, triggerAuthentications, triggerMethods } from "#lib/engine/flow.ts";

/** What each kind of trigger is asked for, in the form of the nodes' config schemas. */
export const triggerSchemas = {
  webhook: {
    type: "object",
    properties: {
      method: {
        title: "Method",
        description: "Which calls start the flow.",
        type: "string",
        enum: [...triggerMethods],
        default: "POST",
      },
      authentication: {
        title: "Callers show",
        description: "How callers prove who they are. All but none need a credential of that type to compare with.",
        type: "string",
        enum: [...triggerAuthentications],
        default: "none",
      },
      credential: {
        title: "Credential",
        description: "The stored credential that callers are compared with.",
        type: "string",
        format: "credential",
      },
      preset: {
        title: "Signature of",
        description: "For hmac: a sender whose way of signing is known.",
        type: "string",
        enum: [...signaturePresets],
      },
      respond: {
        title: "Answer",
        description: "When set to immediately, the caller gets 202 at once instead of the flow's answer.",
        type: "string",
        enum: ["immediately"],
      },
    },
  },
  manual: { type: "object", properties: {} },
  schedule: {
    type: "object",
    required: ["cron"],
    properties: {
      cron: {
        title: "Cron",
        description: "When it runs: minute, hour, day, month, weekday. 0 9 * * 1-5 is nine o'clock on workdays.",
        type: "string",
        format: "plain",
      },
      timezone: {
        title: "Time zone",
        description: "As Europe/Zurich; UTC when missing.",
        type: "string",
        format: "plain",
      },
      misfire: {
        title: "Missed runs",
        description: "What happens to runs that were due while the service was down.",
        type: "string",
        enum: ["skip", "once", "all"],
      },
    },
  },
} as const;
