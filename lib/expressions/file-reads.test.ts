import { describe, expect, test } from "vitest";
import { readBody, readExpression } from "./read-expression.ts";

const read = (text: string) => readExpression(text, 0).expression;

describe("an expression that reads files", () => {
  test("is evaluated over their contents, which are found under the call's text", () => {
    const expression = read("$file.text($trigger.body.a).length + $file.json($nodes['x'].output)['n']");
    expect(expression.fileReads).toEqual([
      { key: "text($trigger.body.a)", method: "text", argument: "$trigger.body.a" },
      { key: "json($nodes['x'].output)", method: "json", argument: "$nodes['x'].output" },
    ]);
    expect(expression.source).toBe(`$file["text($trigger.body.a)"].length + $file["json($nodes['x'].output)"]['n']`);
    expect(expression.written).toBe("$file.text($trigger.body.a).length + $file.json($nodes['x'].output)['n']");
    expect(expression.names).toEqual(["$file"]);
  });

  test("may be a plain path, or in a template or a function's body", () => {
    expect(read("  $file.text($trigger.body)  ").path).toMatchObject({ root: "$file" });
    expect(read("$file.base64(`${$vars.a}`) }} after").source).toBe('$file["base64(`${$vars.a}`)"]');
    const body = readBody("const a = $file.text($vars.b);\nreturn a;");
    expect(body.source).toBe('const a = $file["text($vars.b)"];\nreturn a;');
    expect(body.fileReads).toHaveLength(1);
  });

  test("reads a file once even if it names it twice", () => {
    expect(read("$file.text($vars.a) + $file.text($vars.a)").fileReads).toHaveLength(1);
  });

  test.each([
    "$file",
    "$file.text",
    "$file.text()",
    "$file.text($vars.a, 1)",
    "$file.text(...$vars.a)",
    "$file?.text($vars.a)",
    "$file['text']($vars.a)",
    "$file.bytes($vars.a)",
    "$file.text($file.text($vars.a))",
    "$vars.list.map(() => $file)",
  ])("is refused as %s", (text) => {
    expect(() => read(text)).toThrow(/\$file is read by \$file\.text\(ref\)/);
  });

  test("leaves other names alone", () => {
    expect(read("$files.text($vars.a)").fileReads).toEqual([]);
    expect(read("'$file.text(x)'").fileReads).toEqual([]);
  });
});
