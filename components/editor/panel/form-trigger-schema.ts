import { formFieldTypes, triggerAuthentications } from "#lib/engine/flow.ts";

const text = (title: string, description: string) => ({ title, description, type: "string", format: "plain" }) as const;

/** The settings of a `form` trigger, in the form of the nodes' config schemas. */
export const formTriggerSchema = {
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
    credential: {
      title: "Credential",
      description: "The stored credential that visitors are checked against.",
      type: "string",
      format: "credential",
    },
  },
} as const;
