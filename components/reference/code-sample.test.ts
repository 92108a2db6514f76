import { Parser } from "acorn";
import { describe, expect, it } from "vitest";
import { codeSamples } from "./code-sample.ts";
import type { Operation } from "./operation.ts";

const operation: Operation = {
  id: "changeThing",
  method: "PATCH",
  path: "/things/{id}",
  isEvent: false,
  base: "https://flows.example.com/api/v1",
  tag: "Things",
  summary: "Change a thing",
  description: "",
  access: { isOpen: false, takesKeys: true, takesSessions: true, scopes: [] },
  parameters: [{ name: "id", in: "path", isRequired: true, description: "", schema: {}, example: "a b" }],
  body: { type: "application/json", schema: {}, example: { note: "it's", on: true, none: null, list: [1, "x"] } },
  isBodyRequired: true,
  answers: [],
};
const textOf = (language: string, of = operation) =>
  codeSamples(of).find((sample) => sample.language === language)?.text ?? "";

describe("a sample", () => {
  it("for a terminal quotes what a shell would interpret", () => {
    expect(textOf("curl").split("\n").slice(0, 5)).toEqual([
      "curl -X PATCH 'https://flows.example.com/api/v1/things/a%20b' \\",
      '  -H "Authorization: Bearer $MILLRACE_API_KEY" \\',
      "  -H 'Content-Type: application/json' \\",
      "  -d '{",
      `  "note": "it'\\''s",`,
    ]);
  });

  it("in JavaScript is a valid module", () => {
    const program = Parser.parse(textOf("JavaScript"), { ecmaVersion: 2024, sourceType: "module" });
    expect(program.body.map(({ type }) => type)).toEqual([
      "ImportDeclaration",
      "VariableDeclaration",
      "IfStatement",
      "ExpressionStatement",
    ]);
    expect(textOf("JavaScript")).toContain('method: "PATCH"');
  });

  it("with the client gives its parameters and its body", () => {
    const created = { ...operation, id: "updateFlow", path: "/flows/{id}", base: "https://flows.example.com/api/v1" };
    expect(textOf("millrace/client", created)).toBe(`import { env } from "node:process";
import { createClient } from "millrace/client";

const millrace = createClient({ url: "https://flows.example.com", key: env.MILLRACE_API_KEY });
console.log(await millrace.updateFlow({
  params: {
    id: "a b"
  },
  body: {
    note: "it's",
    on: true,
    none: null,
    list: [
      1,
      "x"
    ]
  }
}));`);
    const stream = { ...created, id: "streamExecution", body: null };
    expect(textOf("millrace/client", stream)).toContain('of millrace.followExecution("a b")) console.log(event);');
    expect(textOf("millrace/client", { ...created, id: "notOfTheContract" })).toBe("");
    const upload = { ...created, body: { type: "application/octet-stream", schema: {}, example: undefined } };
    expect(textOf("millrace/client", upload)).toBe("");
  });

  it("in Python uses Python's true and null", () => {
    expect(textOf("Python")).toContain(`response = requests.patch(
    "https://flows.example.com/api/v1/things/a%20b",
    headers={"Authorization": f"Bearer {os.environ['MILLRACE_API_KEY']}"},
    json={
        "note": "it's",
        "on": True,
        "none": None,
        "list": [
            1,
            "x",
        ],
    },
)`);
  });

  it("for an operation without a key and without input shows neither", () => {
    const access = { isOpen: true, takesKeys: false, takesSessions: false, scopes: [] };
    const plain = { ...operation, method: "GET", path: "/health", access, parameters: [], body: null };
    expect(textOf("curl", plain)).toBe("curl 'https://flows.example.com/api/v1/health'");
    expect(textOf("JavaScript", plain)).toMatch(/^const response = await fetch\("[^"]+"\);\n/);
  });
});
