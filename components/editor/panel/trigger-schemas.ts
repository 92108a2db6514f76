import { kindLabel } from "#components/credentials/credential-kinds.ts";
import {
  type FlowTrigger,
  formFieldTypes,
  rowChanges,
  signaturePresets,
  triggerAuthentications,
  triggerMethods,
} from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { pollTriggerSchemas } from "./polls/poll-trigger-schemas.ts";

const text = <const Format extends string = "plain">(title: string, description: string, format?: Format) =>
  ({ title, description, type: "string", format: format ?? "plain" }) as const;

/** The settings of a `form` trigger, in the format of the nodes' config schemas. */
const formTriggerSchema = {
  type: "object",
  required: ["fields"],
  properties: {
    title: text("Title", "Default: the flow's name."),
    description: text("Description", "Plain text above the fields."),
    fields: {
      title: "Fields",
      description: "The form's fields, in this order. The answers are $trigger.body.",
      type: "array",
      items: {
        type: "object",
        required: ["name"],
        properties: {
          name: text("Name", "The answer's name in $trigger.body."),
          label: text("Label", "The label that people see. Default: the name."),
          type: { title: "Type", type: "string", enum: [...formFieldTypes], default: "text" },
          required: { title: "Required", type: "boolean", default: false },
          options: {
            title: "Options",
            description: "The choices of a select.",
            type: "array",
            items: { type: "string" },
          },
        },
      },
    },
    submitLabel: text("Button", "The button's label. Default: Submit."),
    authentication: {
      title: "Authentication",
      description: "Who may open the form. Browsers can ask for a user name and password (basic).",
      type: "string",
      enum: [...triggerAuthentications],
      default: "none",
    },
    credential: text("Credential", "The stored credential that visitors are checked against.", "credential"),
  },
} as const;

/** The settings of each trigger type, in the format of the nodes' config schemas. */
const triggerSchemas = {
  webhook: {
    type: "object",
    properties: {
      method: {
        title: "Method",
        description: "The HTTP method of calls that start the flow.",
        type: "string",
        enum: [...triggerMethods],
        default: "POST",
      },
      authentication: {
        title: "Authentication",
        description: "How callers authenticate. Every kind except none needs a credential of that type.",
        type: "string",
        enum: [...triggerAuthentications],
        default: "none",
        labels: {
          none: "None: anyone with the URL",
          basic: kindLabel("basic"),
          header: kindLabel("header"),
          bearer: kindLabel("bearer"),
          hmac: kindLabel("hmac"),
        },
      },
      credential: text("Credential", "The stored credential that calls are checked against.", "credential"),
      preset: {
        title: "Signature preset",
        description: "For hmac: a sender whose signature format is known.",
        type: "string",
        enum: [...signaturePresets],
        labels: {
          "": "From the credential",
          github: "GitHub",
          stripe: "Stripe",
          shopify: "Shopify",
          "standard-webhooks": "Standard Webhooks",
        },
      },
      respond: {
        title: "Response",
        description: "Immediately: respond with 202 instead of waiting for the run to end.",
        type: "string",
        enum: ["immediately"],
        labels: { "": "When the flow ends", immediately: "Immediately, with 202" },
      },
    },
  },
  manual: { type: "object", properties: {} },
  schedule: {
    type: "object",
    required: ["cron"],
    properties: {
      cron: text(
        "Schedule",
        "When it runs. As cron: minute, hour, day, month, weekday. 0 9 * * 1-5 is nine o'clock on workdays.",
        "cron",
      ),
      timezone: {
        title: "Time zone",
        description: "The schedule's time zone, such as Europe/Zurich. Default: UTC.",
        type: "string",
        format: "time-zone",
        default: "UTC",
      },
      misfire: {
        title: "Missed runs",
        description: "What happens to runs that were due while the server was down.",
        type: "string",
        enum: ["skip", "once", "all"],
        default: "once",
        labels: { skip: "Skip them", once: "Run once for all of them", all: "Run each of them" },
      },
    },
  },
  form: formTriggerSchema,
  table: {
    type: "object",
    required: ["table"],
    properties: {
      table: text("Table", "Its name or id. A run starts for every row that changes."),
      on: {
        title: "Changes",
        description: "Which changes start a run: a list of inserted, updated, deleted. Default: all.",
        type: "array",
        items: { type: "string", enum: [...rowChanges] },
      },
    },
  },
  error: {
    type: "object",
    properties: {
      flowIds: {
        title: "Flows",
        description: "Ids of the flows whose failed runs start this one. Default: all others.",
        type: "array",
        items: { type: "string" },
      },
    },
  },
  ...pollTriggerSchemas,
} as const;

/** A trigger's schema without the settings that its kind of authentication leaves unused, unless they are set. */
export function usedTriggerSchema({ type, config }: FlowTrigger): unknown {
  const schema = triggerSchemas[type];
  if (!("authentication" in schema.properties)) return schema;
  const { authentication = "none" } = config;
  const used = (name: string) =>
    (name !== "credential" || authentication !== "none") && (name !== "preset" || authentication === "hmac");
  const properties: JsonObject = Object.fromEntries(
    Object.entries(schema.properties).filter(([name]) => used(name) || config[name] !== undefined),
  );
  return { ...schema, properties };
}
