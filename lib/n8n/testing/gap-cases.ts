import { answered, type Case, condition, manual, n8nDocument, n8nNode, set, webhook } from "./workflows.ts";

const addressed: readonly [string, string] = ["Webhook", "The flow has a URL of its own"];

/** What cannot be converted, and how it is reported. */
export const gapCases: readonly Case[] = [
  {
    title: "what there is nothing like becomes a stop that says what it was",
    document: n8nDocument(
      "Agent",
      [
        manual,
        n8nNode(
          "AI Agent",
          "@n8n/n8n-nodes-langchain.agent",
          { promptType: "define", text: "={{ $json.question }}" },
          { version: 2 },
        ),
        n8nNode("Model", "@n8n/n8n-nodes-langchain.lmChatOpenAi", { model: "gpt-4o" }),
        set("Out", { answer: "={{ $json.output }}" }),
        n8nNode("Sticky Note", "stickyNote", { content: "## Ask\nanything", width: 300, height: 200, color: 4 }),
      ],
      ["Start -> AI Agent", "AI Agent -> Out"],
    ),
    failure:
      'Not converted from n8n: “AI Agent” (@n8n/n8n-nodes-langchain.agent): there is no node like it. It was: {\n "promptType": "define",\n "text": "={{ $json.question }}"',
    gaps: [
      ["AI Agent", "It is not converted: there is no node like it"],
      ["Model", "It is left out"],
    ],
  },
  {
    title: "an expression that cannot be converted fails where it stands, and the rest of the node is there",
    document: n8nDocument(
      "Expression",
      [manual, set("Out", { domain: "={{ $json.mail.extractDomain() }}", ok: "={{ $json.mail }}" })],
      ["Start -> Out"],
    ),
    body: { mail: "ann@example.com" },
    failure: "Not converted from n8n: $json.mail.extractDomain()",
    gaps: [["Out", "An expression is not converted (“.extractDomain()”): $json.mail.extractDomain()"]],
  },
  {
    title: "a circle that is no loop ends in a stop where it went back",
    document: n8nDocument(
      "Polling",
      [
        manual,
        n8nNode(
          "Ask",
          "httpRequest",
          { method: "POST", url: "https://api.example.com/job", options: {} },
          { version: 4.2 },
        ),
        n8nNode(
          "Done?",
          "if",
          { conditions: condition("={{ $json.state }}", "equals", "done"), options: {} },
          { version: 2 },
        ),
        n8nNode("Wait", "wait", { amount: 5, unit: "seconds" }, { version: 1.1 }),
        set("Out", { state: "={{ $json.state }}" }),
      ],
      ["Start -> Ask", "Ask -> Done?", "Done? -> Out", "Done?:1 -> Wait", "Wait -> Ask"],
    ),
    recordings: { ask: answered({ state: "done" }) },
    output: { state: "done" },
    gaps: [["Wait", "It leads back to “Ask”"]],
  },
  {
    title: "a disabled node is passed, a stop fails the run",
    document: n8nDocument(
      "Stop",
      [
        manual,
        n8nNode(
          "Off",
          "set",
          { keepOnlySet: true, values: { string: [{ name: "x", value: "1" }] } },
          { settings: { disabled: true } },
        ),
        n8nNode("Stop and Error", "stopAndError", { errorMessage: "=No items in {{ $json.id }}" }),
      ],
      ["Start -> Off", "Off -> Stop and Error"],
    ),
    body: { id: "o-1" },
    failure: "No items in o-1",
  },
  {
    title: "the last node's data answers a webhook; variables and a model's answer",
    document: n8nDocument(
      "Ask",
      [
        webhook({ responseMode: "lastNode" }),
        n8nNode(
          "Message a model",
          "@n8n/n8n-nodes-langchain.openAi",
          {
            resource: "text",
            operation: "message",
            modelId: { __rl: true, value: "gpt-4o-mini", mode: "list" },
            messages: {
              values: [{ role: "system", content: "=Be {{ $env.TONE }}" }, { content: "={{ $json.body.question }}" }],
            },
            options: { temperature: 0 },
          },
          { version: 1.8, credentials: { openAiApi: { id: "3", name: "OpenAI" } } },
        ),
      ],
      ["Webhook -> Message a model"],
    ),
    body: { question: "Why?" },
    recordings: { "message-a-model": answered({ choices: [{ message: { role: "assistant", content: "Because." } }] }) },
    requests: { "message-a-model": { body: { model: "gpt-4o-mini", temperature: 0 } } },
    output: { message: { role: "assistant", content: "Because." } },
    gaps: [
      addressed,
      ["Message a model", "Needs the credential “OpenAI”"],
      ["Webhook", "Variables have no value yet: TONE"],
    ],
  },
  {
    title: "a sub-workflow is a sub-flow that has to be chosen again",
    document: n8nDocument(
      "Parent",
      [
        n8nNode("When called", "executeWorkflowTrigger", { inputSource: "passthrough" }, { version: 1.1 }),
        n8nNode(
          "Run",
          "executeWorkflow",
          { workflowId: { __rl: true, value: "abc123", mode: "id" }, options: {} },
          { version: 1.2 },
        ),
        set("Out", { "got:number": "={{ $json.answer }}" }),
      ],
      ["When called -> Run", "Run -> Out"],
    ),
    body: { n: 1 },
    recordings: { run: { output: { executionId: "exec_1", status: "completed", output: { answer: 42 } } } },
    output: { got: 42 },
    gaps: [
      ["Run", 'Runs the workflow "abc123" of n8n'],
      ["Run", "If the answer is a list"],
    ],
  },
  {
    title: "a batch whose size is computed is a loop all the same",
    document: n8nDocument(
      "Batches",
      [
        manual,
        n8nNode("Split", "splitOut", { fieldToSplitOut: "all" }),
        n8nNode("Loop", "splitInBatches", { batchSize: "={{ $json.size }}" }, { version: 3 }),
        set("Double", { "n:number": "={{ $json.n * 2 }}" }),
      ],
      ["Start -> Split", "Split -> Loop", "Loop:1 -> Double", "Double -> Loop"],
    ),
    body: { all: [{ n: 1 }, { n: 2 }] },
    output: [{ n: 2 }, { n: 4 }],
    gaps: [["Loop", "The size of a batch is an expression in n8n: {{ $json.size }}. Here a batch has 1."]],
  },
  {
    title: "JSON with an expression in a name is sent as text",
    document: n8nDocument(
      "Name",
      [
        manual,
        n8nNode(
          "Send",
          "httpRequest",
          {
            method: "POST",
            url: "https://api.example.com",
            sendBody: true,
            specifyBody: "json",
            jsonBody: '={ "{{ $json.key }}": 1 }',
          },
          { version: 4.2 },
        ),
      ],
      ["Start -> Send"],
    ),
    body: { key: "size" },
    recordings: { send: answered({}) },
    requests: { send: { body: { size: 1 }, headers: { "content-type": "application/json" } } },
    output: { status: 200, headers: {}, body: {} },
  },
  {
    title: "a connection of an unknown kind does not make a node a part of another",
    document: {
      ...n8nDocument(
        "Odd",
        [manual, set("Work", { a: 1 }), set("Next", { "b:number": "={{ $json.a }}" }), set("Alert", {})],
        [],
      ),
      connections: {
        Start: { main: [[{ node: "Work" }]] },
        Work: { main: [[{ node: "Next" }]], onError: [[{ node: "Alert" }]] },
      },
    },
    output: { b: 1 },
    gaps: [
      ["Work", "A connection to “Alert” is left out: “onError” is no kind of connection."],
      ["Alert", "It is left out: the flow's trigger does not lead to it."],
    ],
  },
  {
    title: "a text with a sign but nothing to compute is a text",
    document: n8nDocument(
      "Signs",
      [
        manual,
        n8nNode(
          "Ask",
          "httpRequest",
          {
            method: "=POST",
            url: "=https://api.example.com",
            sendHeaders: true,
            headerParameters: { parameters: [{ name: "=X-Key" }] },
          },
          { version: 4.2 },
        ),
        n8nNode("Out", "set", {
          keepOnlySet: true,
          values: { string: [{ name: "=who", value: "={{ $item('0').$node[\"Start\"].json.name }}" }] },
        }),
      ],
      ["Start -> Ask", "Ask -> Out"],
    ),
    body: { name: "Ann" },
    recordings: { ask: answered({}) },
    requests: { ask: { method: "POST", url: "https://api.example.com/", headers: { "x-key": "" } } },
    output: { who: "Ann" },
  },
  {
    title: "options without a place here are named",
    document: n8nDocument(
      "Options",
      [
        webhook({ options: { responseHeaders: { entries: [{ name: "X-A", value: "1" }] }, rawBody: true } }),
        n8nNode("Split", "splitOut", { fieldToSplitOut: "body.all", options: { disableDotNotation: true } }),
        n8nNode("Keep", "filter", { conditions: condition("={{ $json.n }}", "gt", 9, "number"), options: {} }),
        n8nNode("Copies", "set", { mode: "raw", jsonOutput: "{}", duplicateItem: true }, { version: 3.4 }),
        n8nNode(
          "Date",
          "dateTime",
          { operation: "formatDate", date: "31.01.2026", options: { fromFormat: "dd.MM.yyyy" } },
          { version: 2 },
        ),
        n8nNode("Other", "executeWorkflow", { workflowId: "7", options: {} }, { version: 1.2 }),
      ].map((node) => (node.name === "Keep" ? { ...node, alwaysOutputData: true } : node)),
      ["Webhook -> Split", "Split -> Keep", "Keep -> Copies", "Copies -> Date", "Date -> Other"],
    ),
    gaps: [
      ["Webhook", "Settings are left out: responseHeaders, rawBody."],
      ["Webhook", "The flow has a URL of its own"],
      ["Split", "Settings are left out: disableDotNotation."],
      ["Keep", "Without items, n8n continues with an empty one. This flow does not."],
      ["Copies", "It makes one item of each, without duplicates."],
      ["Date", "Settings are left out: fromFormat."],
      ["Other", 'Runs the workflow "7" of n8n'],
      ["Other", "It runs once for each item, not once with all."],
    ],
  },
];
