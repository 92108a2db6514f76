import { answered, type Case, condition, manual, n8nDocument, n8nNode, set, webhook } from "./workflows.ts";

const addressed: readonly [string, string] = ["Webhook", "The flow has a URL of its own"];

/** Triggers, services, waits, and what cannot be converted. */
export const outsideCases: readonly Case[] = [
  {
    title: "a schedule, with its timezone, and a mail",
    document: n8nDocument(
      "Daily mail",
      [
        n8nNode(
          "Every day",
          "scheduleTrigger",
          { rule: { interval: [{ triggerAtHour: 9, triggerAtMinute: 30 }] } },
          { version: 1.2 },
        ),
        n8nNode(
          "Send Email",
          "emailSend",
          {
            fromEmail: "shop@example.com",
            toEmail: "ann@example.com, bo@example.com",
            subject: "=Report of {{ $json.timestamp }}",
            emailFormat: "text",
            text: "All is well.",
            options: {},
          },
          { version: 2.1, credentials: { smtp: { id: "4", name: "Mail server" } } },
        ),
      ],
      ["Every day -> Send Email"],
      { settings: { timezone: "Europe/Zurich" } },
    ),
    body: { scheduledAt: "2026-01-31T08:30:00.000Z" },
    recordings: {
      "send-email": { output: { messageId: "<1@x>", accepted: ["ann@example.com", "bo@example.com"], rejected: [] } },
    },
    output: { messageId: "<1@x>", accepted: ["ann@example.com", "bo@example.com"], rejected: [] },
    requests: {
      "send-email": { to: ["ann@example.com", "bo@example.com"], subject: "Report of 2026-01-31T08:30:00.000Z" },
    },
    gaps: [
      ["Send Email", "Needs the credential “Mail server” (smtp in n8n). Create it here as “mailServer”, of type smtp."],
    ],
  },
  {
    title: "a form with labels for names",
    document: n8nDocument(
      "Form",
      [
        n8nNode(
          "On form submission",
          "formTrigger",
          {
            formTitle: "Contact",
            formDescription: "Write to us",
            formFields: {
              values: [
                { fieldLabel: "Your e-mail", fieldType: "email", requiredField: true },
                { fieldLabel: "Company (Inc.)" },
                {
                  fieldLabel: "Size",
                  fieldType: "dropdown",
                  fieldOptions: { values: [{ option: "S" }, { option: "M" }] },
                },
              ],
            },
            options: {},
          },
          { version: 2.2 },
        ),
        set("Out", {
          mail: "={{ $json['Your e-mail'] }}",
          size: "={{ $json.Size }}",
          "all:boolean": "={{ Object.keys($json).includes('Your e-mail') }}",
          company: "={{ $input.first().json['Company (Inc.)'] + ({ ...$json })['Company (Inc.)'] }}",
        }),
      ],
      ["On form submission -> Out"],
    ),
    body: { "Your_e-mail": "ann@example.com", Company_Inc: "ACME", Size: "M" },
    output: { mail: "ann@example.com", size: "M", all: true, company: "ACMEACME" },
  },
  {
    title: "a mail that comes in",
    document: n8nDocument(
      "Mail in",
      [
        n8nNode(
          "Email Trigger (IMAP)",
          "emailReadImap",
          { mailbox: "Orders", postProcessAction: "read", format: "simple", options: {} },
          { version: 2, credentials: { imap: { id: "5", name: "Mailbox" } } },
        ),
        set("Out", { from: "={{ $json.from }}", text: "={{ $json.textPlain }}", subject: "={{ $json.subject }}" }),
      ],
      ["Email Trigger (IMAP) -> Out"],
    ),
    body: { from: { name: "Ann", address: "ann@example.com" }, subject: "Order", text: "Two, please" },
    output: { from: "ann@example.com", text: "Two, please", subject: "Order" },
    gaps: [
      [
        "Email Trigger (IMAP)",
        "Needs the credential “Mailbox” (imap in n8n). Create it here as “Mailbox”, of type imap.",
      ],
    ],
  },
  {
    title: "a failed run's data as a whole",
    document: n8nDocument(
      "Errors",
      [
        n8nNode("Error Trigger", "errorTrigger"),
        n8nNode("Keep", "noOp"),
        set("Out", { text: "={{ $json.workflow.name }}: {{ $json.execution.error.message }}" }),
      ],
      ["Error Trigger -> Keep", "Keep -> Out"],
    ),
    body: { flowName: "Orders", error: "No items" },
    output: { text: "Orders: No items" },
  },
  {
    title: "a form in the middle, with labels for names",
    document: n8nDocument(
      "Approval",
      [
        manual,
        n8nNode("Ask", "wait", { resume: "form", formFields: { values: [{ fieldLabel: "Your answer" }] } }),
        set("Out", { answer: "={{ $json['Your answer'] }}" }),
      ],
      ["Start -> Ask", "Ask -> Out"],
    ),
    recordings: { ask: { output: { body: { Your_answer: "yes" } } } },
    output: { answer: "yes" },
  },
  {
    title: "an event of GitHub has its body, headers and query",
    document: n8nDocument(
      "Push",
      [n8nNode("GitHub", "githubTrigger", { events: ["push"] }), set("Out", { ref: "={{ $json.body.ref }}" })],
      ["GitHub -> Out"],
    ),
    body: { ref: "main" },
    output: { ref: "main" },
    gaps: [["GitHub", "GitHub sends events to webhooks of the repository"]],
  },
  {
    title: "failed runs start a message",
    document: n8nDocument(
      "Errors",
      [
        n8nNode("Error Trigger", "errorTrigger"),
        n8nNode(
          "Slack",
          "slack",
          {
            resource: "message",
            operation: "post",
            select: "channel",
            channelId: { __rl: true, value: "C123", mode: "id" },
            text: "={{ $json.workflow.name }} failed: {{ $json.execution.error.message }}",
            otherOptions: {},
          },
          { version: 2.2, credentials: { slackApi: { id: "2", name: "Slack account" } } },
        ),
      ],
      ["Error Trigger -> Slack"],
    ),
    body: { flowName: "Orders", error: "No items" },
    recordings: { slack: answered({ ok: true }) },
    requests: {
      slack: {
        url: "https://slack.com/api/chat.postMessage",
        body: { channel: "C123", text: "Orders failed: No items" },
      },
    },
    output: { status: 200, headers: {}, body: { ok: true } },
    gaps: [["Slack", "Needs the credential “Slack account”"]],
  },
  {
    title: "a wait for time passes its input on, and code is hashed",
    document: n8nDocument(
      "Wait",
      [
        manual,
        n8nNode("Wait", "wait", { amount: 2, unit: "minutes" }, { version: 1.1 }),
        n8nNode("Crypto", "crypto", {
          action: "hash",
          type: "SHA256",
          value: "={{ $json.text }}",
          dataPropertyName: "hash",
        }),
        set("Out", { hash: "={{ $json.hash.slice(0, 8) }}", text: "={{ $json.text }}" }),
      ],
      ["Start -> Wait", "Wait -> Crypto", "Crypto -> Out"],
    ),
    body: { text: "abc" },
    output: { hash: "ba7816bf", text: "abc" },
  },
  {
    title: "rows of a table are found and written",
    document: n8nDocument(
      "Table",
      [
        webhook(),
        n8nNode(
          "Find",
          "dataTable",
          {
            resource: "row",
            operation: "get",
            dataTableId: { __rl: true, mode: "list", value: "Xy0", cachedResultName: "customers" },
            matchType: "allConditions",
            filters: { conditions: [{ keyName: "email", condition: "eq", keyValue: "={{ $json.body.email }}" }] },
            returnAll: false,
            limit: 1,
          },
          { version: 1 },
        ),
        n8nNode(
          "Keep",
          "dataTable",
          {
            resource: "row",
            operation: "insert",
            dataTableId: { __rl: true, mode: "list", value: "Xy0", cachedResultName: "customers" },
            columns: { mappingMode: "defineBelow", value: { email: "={{ $json.email }}", seen: "yes" } },
          },
          { version: 1, settings: { executeOnce: true } },
        ),
      ],
      ["Webhook -> Find", "Find -> Keep"],
    ),
    body: { email: "ann@example.com" },
    recordings: {
      find: { output: { row: null, rows: [{ email: "ann@example.com" }], count: 1 } },
      keep: { output: { row: { id: "row_1" }, rows: [{ id: "row_1" }], count: 1 } },
    },
    requests: {
      find: { table: "customers", where: { email: "ann@example.com" }, limit: 1 },
      keep: { row: { email: "ann@example.com", seen: "yes" } },
    },
    output: { row: { id: "row_1" }, rows: [{ id: "row_1" }], count: 1 },
    gaps: [
      addressed,
      ["Find", "Needs the table “customers” with the columns email."],
      ["Keep", "Needs the table “customers” with the columns email, seen."],
    ],
  },
  {
    title: "a switch with equal names, and a field for an answer of text",
    document: n8nDocument(
      "Names",
      [
        manual,
        n8nNode(
          "Ask",
          "httpRequest",
          {
            url: "https://api.example.com",
            options: { response: { response: { responseFormat: "text", outputPropertyName: "page" } } },
          },
          { version: 4.2 },
        ),
        n8nNode(
          "Way",
          "switch",
          {
            rules: {
              values: ["x-3", "x", "x"].map((outputKey, at) => ({
                conditions: condition("={{ $json.page }}", "equals", `p${at}`),
                ...{ renameOutput: true, outputKey },
              })),
            },
            options: {},
          },
          { version: 3.2 },
        ),
        set("Out", { got: "={{ $json.page }}" }),
      ],
      ["Start -> Ask", "Ask -> Way", "Way:2 -> Out"],
    ),
    recordings: { ask: answered("p2") },
    output: { got: "p2" },
  },
];
