import { answered, type Case, condition, manual, n8nDocument, n8nNode, set, webhook } from "./workflows.ts";

const code = (name: string, jsCode: string, more = {}) => n8nNode(name, "code", { jsCode, ...more }, { version: 2 });
const addressed: readonly [string, string] = ["Webhook", "The flow has a URL of its own"];

/** Single items: fields, expressions, conditions, requests, answers. */
export const dataCases: readonly Case[] = [
  {
    title: "selected fields inside others are kept beside each other",
    document: n8nDocument(
      "Selected",
      [
        manual,
        set(
          "Out",
          { a: 1 },
          { includeOtherFields: true, include: "selected", includeFields: "to.name, ip, to.at.city" },
        ),
      ],
      ["Start -> Out"],
    ),
    body: { to: { name: "Ann", age: 4, at: { city: "Bern", zip: "1" } }, ip: "::1", more: 1 },
    output: { name: "Ann", city: "Bern", ip: "::1", a: 1 },
  },
  {
    title: "fields are set from the call, and answered",
    document: n8nDocument(
      "Greeting",
      [
        webhook(),
        set("Edit Fields", {
          greeting: "=Hello {{ $json.body.name }}!",
          "address.city": "={{ $json.body.city }}",
          count: 3,
          raw: "{{ not an expression }}",
        }),
        n8nNode(
          "Respond",
          "respondToWebhook",
          { respondWith: "firstIncomingItem", options: { responseCode: 201 } },
          { version: 1.1 },
        ),
      ],
      ["Webhook -> Edit Fields", "Edit Fields -> Respond"],
    ),
    body: { name: "Ada", city: "London" },
    output: { greeting: "Hello Ada!", address: { city: "London" }, count: 3, raw: "{{ not an expression }}" },
    gaps: [addressed],
  },
  {
    title: "an older set keeps the item's fields, and reads by $node",
    document: n8nDocument(
      "Old set",
      [
        manual,
        n8nNode("First", "set", {
          keepOnlySet: true,
          values: { string: [{ name: "a", value: "x" }], number: [{ name: "n", value: 2 }] },
        }),
        n8nNode("Second", "set", {
          values: {
            boolean: [{ name: "ok", value: true }],
            string: [{ name: "b", value: '={{ $node["First"].json["a"] }}{{$node.First.json.n}}' }],
          },
        }),
      ],
      ["Start -> First", "First -> Second"],
    ),
    output: { a: "x", n: 2, ok: true, b: "x2" },
  },
  {
    title: "a condition leads one of two ways, which meet again",
    document: n8nDocument(
      "Ways",
      [
        webhook(),
        n8nNode(
          "If",
          "if",
          { conditions: condition("={{ $json.body.total }}", "gt", 100, "number") },
          { version: 2.2 },
        ),
        set("Large", { size: "large" }),
        set("Small", { size: "small" }),
        set("End", { text: "={{ $json.size }} for {{ $('Webhook').item.json.body.who }}" }),
      ],
      ["Webhook -> If", "If -> Large", "If:1 -> Small", "Large -> End", "Small -> End"],
    ),
    body: { total: 50, who: "Bo" },
    output: { text: "small for Bo" },
    gaps: [addressed],
  },
  {
    title: "conditions of the first version, all and any",
    document: n8nDocument(
      "Old if",
      [
        manual,
        n8nNode("If", "if", {
          conditions: {
            string: [{ value1: "={{ $json.name }}", operation: "startsWith", value2: "A" }],
            number: [{ value1: "={{ $json.age }}", operation: "largerEqual", value2: 18 }],
          },
          combineOperation: "all",
        }),
        set("Yes", { answer: "yes" }),
        set("No", { answer: "no" }),
      ],
      ["Start -> If", "If -> Yes", "If:1 -> No"],
    ),
    body: { name: "Ann", age: 18 },
    output: { answer: "yes" },
  },
  {
    title: "a switch with named ways and a way for the rest",
    document: n8nDocument(
      "Switch",
      [
        manual,
        n8nNode(
          "Route",
          "switch",
          {
            rules: {
              values: [
                { conditions: condition("={{ $json.kind }}", "equals", "a"), renameOutput: true, outputKey: "Kind A" },
                { conditions: condition("={{ $json.kind }}", "contains", "b") },
              ],
            },
            options: { fallbackOutput: "extra" },
          },
          { version: 3.2 },
        ),
        set("A", { way: "A" }),
        set("B", { way: "B" }),
        set("Rest", { way: "rest", kind: "={{ $json.kind.toUpperCase() }}" }),
      ],
      ["Start -> Route", "Route:0 -> A", "Route:1 -> B", "Route:2 -> Rest"],
    ),
    body: { kind: "xyz" },
    output: { way: "rest", kind: "XYZ" },
  },
  {
    title: "a request with query, headers, a JSON body of expressions and a credential",
    document: n8nDocument(
      "Request",
      [
        webhook(),
        n8nNode(
          "Create order",
          "httpRequest",
          {
            method: "POST",
            url: "=https://api.example.com/{{ $json.body.shop }}/orders",
            authentication: "genericCredentialType",
            genericAuthType: "httpHeaderAuth",
            sendQuery: true,
            queryParameters: { parameters: [{ name: "notify", value: "true" }] },
            sendHeaders: true,
            headerParameters: { parameters: [{ name: "X-Trace", value: "={{ $execution.id }}" }] },
            sendBody: true,
            specifyBody: "json",
            jsonBody:
              '={\n "customer": "{{ $json.body.name }}",\n "items": {{ JSON.stringify($json.body.items) }},\n "note": "for {{ $json.body.name }}"\n}',
            options: { timeout: 5000 },
          },
          {
            version: 4.2,
            credentials: { httpHeaderAuth: { id: "1", name: "Shop key" } },
            settings: { retryOnFail: true, maxTries: 3 },
          },
        ),
        set("Number", { "number:number": "={{ $json.id }}" }),
      ],
      ["Webhook -> Create order", "Create order -> Number"],
    ),
    body: { shop: "north", name: 'A "quoted" name', items: [1, 2] },
    recordings: { "create-order": answered({ id: 17 }) },
    output: { number: 17 },
    requests: {
      "create-order": {
        method: "POST",
        url: "https://api.example.com/north/orders?notify=true",
        body: { customer: 'A "quoted" name', items: [1, 2], note: 'for A "quoted" name' },
      },
    },
    gaps: [addressed, ["Create order", "Needs the credential “Shop key”"]],
  },
  {
    title: "an answer that may be a list is told of; a failure takes its own way",
    document: n8nDocument(
      "Errors",
      [
        manual,
        n8nNode(
          "Ask",
          "httpRequest",
          { url: "https://api.example.com/a", options: {} },
          { version: 4.2, settings: { onError: "continueErrorOutput" } },
        ),
        set("Fine", { ok: "={{ $json.ok }}" }),
        set("Trouble", { what: "={{ $json.error.code }}" }),
      ],
      ["Start -> Ask", "Ask -> Fine", "Ask:1 -> Trouble"],
    ),
    recordings: { ask: { error: { code: "HTTP_STATUS", message: "404" } } },
    output: { what: "HTTP_STATUS" },
    gaps: [["Ask", "If the answer is a list"]],
  },
  {
    title: "code for all items gives one, and reads other nodes",
    document: n8nDocument(
      "Code",
      [
        webhook(),
        code(
          "Total",
          "let sum = 0;\nfor (const item of $input.first().json.body.items) { sum += item.price; }\nreturn [{ json: { sum, who: $('Webhook').first().json.body.who } }];",
        ),
        set("Out", { text: "={{ $json.who }}: {{ $json.sum }}" }),
      ],
      ["Webhook -> Total", "Total -> Out"],
    ),
    body: { who: "Cy", items: [{ price: 2 }, { price: 5 }] },
    output: { text: "Cy: 7" },
    gaps: [addressed],
  },
  {
    title: "functions of old, by item and for all",
    document: n8nDocument(
      "Functions",
      [
        manual,
        n8nNode("Each", "functionItem", { functionCode: "item.double = item.n * 2;\nreturn item;" }),
        n8nNode("All", "function", { functionCode: "for (const one of items) one.json.seen = true;\nreturn items;" }),
      ],
      ["Start -> Each", "Each -> All"],
    ),
    body: { n: 4 },
    output: { n: 4, double: 8, seen: true },
  },
  {
    title: "dates: now, today, formats and shifts, in UTC",
    document: n8nDocument(
      "Dates",
      [
        manual,
        set("When", {
          day: "={{ $now.format('yyyy-MM-dd') }}",
          week: "={{ $today.minus({ days: 7 }).toISODate() }}",
          "year:number": "={{ $now.year }}",
          said: "={{ $now.toFormat(\"d MMMM yyyy 'at' HH:mm\") }}",
          parsed: "={{ DateTime.fromISO($json.at).plus(1, 'month').toFormat('dd.MM.yy') }}",
        }),
        n8nNode(
          "Later",
          "dateTime",
          { operation: "addToDate", magnitude: "={{ $json.day }}", timeUnit: "hours", duration: 36, options: {} },
          { version: 2 },
        ),
      ],
      ["Start -> When", "When -> Later"],
      { settings: { timezone: "Europe/Berlin" } },
    ),
    body: { at: "2026-01-31T10:00:00Z" },
    nodes: {
      when: { day: "2026-01-31", week: "2026-01-24", year: 2026, said: "31 January 2026 at 10:00", parsed: "28.02.26" },
    },
    output: { newDate: "2026-02-01T12:00:00.000Z" },
    gaps: [["Start", "Times are read in UTC here, and were in Europe/Berlin"]],
  },
  {
    title: "code changes what a schedule gives, and reads it again",
    document: n8nDocument(
      "Changes",
      [
        n8nNode("Daily", "scheduleTrigger", { rule: { interval: [{ field: "days" }] } }, { version: 1.2 }),
        code("Code", "for (const item of $input.all()) {\n  item.json.seen = true;\n}\nreturn $input.all();"),
        set("Out", { "seen:boolean": "={{ $json.seen }}", at: "={{ $json.timestamp }}" }),
      ],
      ["Daily -> Code", "Code -> Out"],
    ),
    body: { scheduledAt: "2026-01-31T09:00:00Z" },
    output: { seen: true, at: "2026-01-31T09:00:00Z" },
  },
];
