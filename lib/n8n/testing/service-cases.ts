import { answered, type Case, manual, n8nDocument, n8nNode, set } from "./workflows.ts";

const byUrl = (value: string) => ({ __rl: true, mode: "url", value });

/** Services, with the settings that people choose in n8n. */
export const serviceCases: readonly Case[] = [
  {
    title: "all of a table's records are found, by the address of the table",
    document: n8nDocument(
      "Records",
      [
        manual,
        n8nNode(
          "Find",
          "airtable",
          {
            operation: "search",
            base: byUrl("https://airtable.com/appAb12/tblCd34/viwEf56"),
            table: byUrl("https://airtable.com/appAb12/tblCd34/viwEf56"),
            filterByFormula: "={Stage} = '{{ $json.stage }}'",
            sort: { property: [{ field: "Name", direction: "desc" }] },
            options: { fields: ["Name"], typecast: true },
          },
          { version: 2.1 },
        ),
        set("Out", { name: "={{ $json.Name }}" }),
      ],
      ["Start -> Find", "Find -> Out"],
    ),
    body: { stage: "Open" },
    recordings: { find: answered([{ id: "rec1", createdTime: "2026", fields: { Name: "Ann" } }]) },
    requests: {
      find: {
        url: "https://api.airtable.com/v0/appAb12/tblCd34",
        query: {
          filterByFormula: "{Stage} = 'Open'",
          "fields[]": ["Name"],
          "sort[0][field]": "Name",
          "sort[0][direction]": "desc",
        },
      },
    },
    output: [{ name: "Ann" }],
    gaps: [["Find", "Settings are left out: typecast."]],
  },
  {
    title: "an older list of records, with its formula among the options, and fields inside",
    document: n8nDocument(
      "Older records",
      [
        manual,
        n8nNode("Find", "airtable", {
          operation: "list",
          application: "appAb12",
          table: "People",
          returnAll: false,
          limit: 5,
          additionalOptions: { filterByFormula: "{Age} > 4" },
        }),
        set("Out", { name: "={{ $json.fields.Name }}" }),
      ],
      ["Start -> Find", "Find -> Out"],
    ),
    recordings: { find: answered([{ id: "rec1", fields: { Name: "Ann" } }]) },
    requests: { find: { query: { filterByFormula: "{Age} > 4" } } },
    output: [{ name: "Ann" }],
  },
  {
    title: "an issue with labels, changed afterwards",
    document: n8nDocument(
      "Issue",
      [
        manual,
        n8nNode("Open", "github", {
          operation: "create",
          owner: byUrl("https://github.com/acme"),
          repository: byUrl("https://github.com/acme/shop"),
          title: "={{ $json.title }}",
          labels: [{ label: "bug" }, { label: "={{ $json.label }}" }],
          assignees: [],
        }),
        n8nNode("Close", "github", {
          operation: "edit",
          owner: { __rl: true, mode: "name", value: "acme" },
          repository: { __rl: true, mode: "name", value: "shop" },
          issueNumber: "={{ $json.number }}",
          editFields: { state: "closed", title: "={{ $json.title }} (done)", labels: [{ label: "done" }] },
        }),
      ],
      ["Start -> Open", "Open -> Close"],
    ),
    body: { title: "T", label: "web" },
    recordings: { open: answered({ number: 7, title: "T" }), close: answered({}) },
    requests: {
      open: { url: "https://api.github.com/repos/acme/shop/issues", body: { title: "T", labels: ["bug", "web"] } },
      close: {
        url: "https://api.github.com/repos/acme/shop/issues/7",
        body: { state: "closed", title: "T (done)", labels: ["done"] },
      },
    },
  },
  {
    title: "a message's settings are kept or named",
    document: n8nDocument(
      "Message",
      [
        manual,
        n8nNode(
          "Tell",
          "telegram",
          {
            chatId: "42",
            text: "*Hi*",
            replyMarkup: "inlineKeyboard",
            inlineKeyboard: {
              rows: [{ row: { buttons: [{ text: "=Yes {{ 1 + 1 }}", additionalFields: { callback_data: "y" } }] } }],
            },
            additionalFields: { disable_notification: true, appendAttribution: false, entities: "x" },
          },
          { version: 1.2, credentials: { telegramApi: { id: "1", name: "bot" } } },
        ),
      ],
      ["Start -> Tell"],
    ),
    recordings: { tell: answered({ ok: true }) },
    requests: {
      tell: {
        body: {
          ...{ chat_id: "42", text: "*Hi*", parse_mode: "Markdown", disable_notification: true },
          reply_markup: { inline_keyboard: [[{ text: "Yes 2", callback_data: "y" }]] },
        },
      },
    },
    gaps: [
      ["Tell", "Needs the credential “bot”"],
      ["Tell", "Settings are left out: entities."],
    ],
  },
  {
    title: "an answer of the newer API of OpenAI is where expressions read it",
    document: n8nDocument(
      "Answer",
      [
        manual,
        n8nNode(
          "Ask",
          "@n8n/n8n-nodes-langchain.openAi",
          {
            operation: "response",
            modelId: { __rl: true, value: "gpt-4o-mini", mode: "list" },
            responses: { values: [{ content: "={{ $json.question }}" }] },
            options: {},
          },
          { version: 2 },
        ),
        set("Out", { text: "={{ $json.output[0].content[0].text }}" }),
      ],
      ["Start -> Ask", "Ask -> Out"],
    ),
    body: { question: "Why?" },
    recordings: { ask: answered({ choices: [{ message: { role: "assistant", content: "Because." } }] }) },
    output: { text: "Because." },
  },
  {
    title: "a request that follows no redirect; what it cannot keep is named",
    document: n8nDocument(
      "Request",
      [
        manual,
        n8nNode(
          "Ask",
          "httpRequest",
          {
            url: "https://api.example.com",
            options: {
              redirect: { redirect: {} },
              allowUnauthorizedCerts: true,
              proxy: "http://proxy:8080",
              batching: { batch: { batchSize: 0 } },
            },
          },
          { version: 4.2 },
        ),
        set("Out", { list: "={{ JSON.stringify($json.tags) }}" }),
        n8nNode(
          "Typed",
          "set",
          { assignments: { assignments: [{ name: "tags", type: "array", value: "={{ $json.list }}" }] }, options: {} },
          { version: 3.4 },
        ),
      ],
      ["Start -> Ask", "Ask -> Out", "Out -> Typed"],
    ),
    recordings: { ask: answered({ tags: ["a"] }) },
    output: { tags: ["a"] },
    gaps: [
      ["Ask", "Settings are left out: allowUnauthorizedCerts, proxy, batching."],
      ["Ask", "If the answer is a list"],
    ],
  },
  {
    title: "a record is found by its fields, a form is sent without files",
    document: n8nDocument(
      "Upsert",
      [
        manual,
        n8nNode(
          "Put",
          "airtable",
          {
            operation: "upsert",
            base: { __rl: true, mode: "id", value: "appAb12" },
            table: { __rl: true, mode: "id", value: "tblCd34" },
            columns: {
              mappingMode: "defineBelow",
              value: { Email: "={{ $json.email }}", Name: "Ann" },
              matchingColumns: ["Email"],
            },
          },
          { version: 2.1 },
        ),
        n8nNode(
          "Form",
          "httpRequest",
          {
            method: "POST",
            url: "https://api.example.com/form",
            sendBody: true,
            contentType: "multipart-form-data",
            bodyParameters: { parameters: [{ name: "id", value: "={{ $json.id }}" }] },
          },
          { version: 4.2 },
        ),
      ],
      ["Start -> Put", "Put -> Form"],
    ),
    body: { email: "ann@example.com" },
    recordings: { put: answered({ records: [{ id: "rec1" }] }), form: answered({}) },
    requests: {
      put: {
        method: "PATCH",
        url: "https://api.airtable.com/v0/appAb12/tblCd34",
        body: {
          records: [{ fields: { Email: "ann@example.com", Name: "Ann" } }],
          performUpsert: { fieldsToMergeOn: ["Email"] },
        },
      },
      form: { method: "POST", url: "https://api.example.com/form" },
    },
    nodes: { form: { status: 200, headers: {}, body: {} } },
  },
];
