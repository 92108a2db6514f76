// Every pair of formats, and hostile inputs.
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { describe, expect, test, vi } from "vitest";
import { convert } from "./convert.ts";
import { type ConversionOptions, conversionLimits, type Format } from "./formats.ts";

const never = new AbortController().signal;

async function outputOf(from: Format, to: Format, value: unknown, overrides: Partial<ConversionOptions> = {}) {
  const options = { from, to, header: true, delimiter: ",", ...overrides };
  const input = typeof value === "string" ? { text: value } : { json: JSON.stringify(value) };
  const converted = await convert({ options, input }, "owner", never);
  return "json" in converted ? JSON.parse(converted.json) : converted;
}

const base64 = (data: string | Uint8Array) => Buffer.from(data).toString("base64");
const people = [
  { name: "Ann", age: 42, note: null },
  { name: 'B "q", é', age: 7.5, note: "x\ny" },
];

describe("a value and back", () => {
  test.each(["csv", "xlsx"] as const)("%s, as rows", async (format) => {
    const made = await outputOf("json", format, people);
    const read = await outputOf(format, "json", made);
    expect(read.map(({ name }: { name: string }) => name)).toEqual(["Ann", 'B "q", é']);
    expect(read[1].note).toBe("x\ny");
    expect(read.map(({ age }: { age: unknown }) => Number(age))).toEqual([42, 7.5]);
  });

  test("yaml and xml", async () => {
    const value = { order: { "@id": "7", item: ["a & b", "<c>"], total: "10" } };
    expect(await outputOf("yaml", "json", await outputOf("json", "yaml", value))).toEqual(value);
    expect(await outputOf("xml", "json", await outputOf("json", "xml", value))).toEqual(value);
    expect(await outputOf("xml", "json", "<a>&#228;&lt;</a>")).toEqual({ a: "ä<" });
    expect(await outputOf("xml", "yaml", "<a><b>1</b></a>")).toBe('a:\n  b: "1"\n');
  });

  test("zip, gzip and base64", async () => {
    const files = [
      { name: "a/ä.txt", text: "hällo" },
      { name: "b.bin", base64: base64(Buffer.from([0xff, 0, 1])) },
    ];
    const read = await outputOf("zip", "json", await outputOf("json", "zip", files));
    expect(read).toEqual([
      { ...files[0], size: 6 },
      { ...files[1], size: 3 },
    ]);
    expect(await outputOf("gzip", "text", await outputOf("text", "gzip", "hällo"))).toBe("hällo");
    expect(await outputOf("base64", "text", base64("hällo"))).toBe("hällo");
    expect(await outputOf("gzip", "json", base64(gzipSync('{"a":1}')))).toEqual({ a: 1 });
    expect(await outputOf("json", "base64", { a: 1 })).toBe(base64('{"a":1}'));
  });

  test("CSV without names, and with another delimiter", async () => {
    expect(await outputOf("csv", "json", "a;b\n1;", { header: false, delimiter: ";" })).toEqual([
      ["a", "b"],
      ["1", null],
    ]);
    expect(await outputOf("json", "csv", [["a;", 1]], { delimiter: ";" })).toBe('"a;";1\r\n');
    expect(await outputOf("csv", "json", "__proto__,b\n1,2")).toEqual(JSON.parse('[{"__proto__":"1","b":"2"}]'));
  });

  test("a sheet by its name", async () => {
    const made = await outputOf("json", "xlsx", people, { sheet: "People" });
    expect(await outputOf("xlsx", "json", made, { sheet: "People" })).toHaveLength(2);
    expect(await outputOf("xlsx", "json", made, { sheet: "Other" })).toEqual({
      problem: 'it has no sheet named "Other"',
    });
  });
});

describe("HTML and Markdown", () => {
  const page = `<h1>Prices</h1><script>steal()</script><table><tr class="row"><td>A</td><td>1 &euro;</td></tr></table>
    <p>See <a href="/more">more</a></p>`;

  test("elements are selected", async () => {
    expect(await outputOf("html", "json", page, { select: "tr.row td" })).toEqual([
      { text: "A", html: "A", attributes: {} },
      { text: "1 €", html: "1 €", attributes: {} },
    ]);
    expect(await outputOf("html", "json", page, { select: "a[href]" })).toEqual([
      { text: "more", html: "more", attributes: { href: "/more" } },
    ]);
    expect(await outputOf("html", "html", page, { select: "a" })).toBe('<a href="/more">more</a>');
    expect(await outputOf("html", "text", page)).not.toContain("steal");
    expect(await outputOf("html", "json", page, { select: "[[" })).toEqual({
      problem: expect.stringContaining("select is not a CSS selector"),
    });
  });

  test("HTML becomes Markdown, and Markdown HTML", async () => {
    const markdown = await outputOf("html", "markdown", page);
    expect(markdown).toContain("# Prices");
    expect(markdown).toContain("[more](/more)");
    expect(markdown).not.toContain("steal");
    expect(await outputOf("markdown", "html", "# A\n\n- b")).toBe("<h1>A</h1>\n<ul>\n<li>b</li>\n</ul>\n");
  });
});

/** A zip archive whose directory falsely says that its only file has one byte. */
function lyingZip(): string {
  const bytes = Buffer.from(zipSync({ "a.txt": Buffer.alloc(5_000_000) }));
  const directory = bytes.indexOf(Buffer.from("PK\x01\x02", "latin1"));
  bytes.writeUInt32LE(1, directory + 24);
  return base64(bytes);
}

const entities = Array.from({ length: 20 }, (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`).join(
  "",
);
const aliases = Array.from(
  { length: 20 },
  (_, index) => `a${index + 1}: &a${index + 1} [${`*a${index},`.repeat(9)}]`,
).join("\n");
const sparse = (cell: string) =>
  base64(
    zipSync({
      "[Content_Types].xml": Buffer.from("<Types/>"),
      "xl/workbook.xml": Buffer.from(
        '<workbook xmlns:r="r"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
      ),
      "xl/_rels/workbook.xml.rels": Buffer.from(
        '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
      ),
      "xl/worksheets/sheet1.xml": Buffer.from(
        `<worksheet><dimension ref="A1:${cell}"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="${cell.replace(/\D/g, "")}"><c r="${cell}"><v>1</v></c></row></sheetData></worksheet>`,
      ),
    }),
  );

describe("a conversion that takes too much is refused, and others continue", () => {
  test.each<[string, Format, Format, unknown]>([
    ["entities that multiply", "xml", "json", `<!DOCTYPE a [<!ENTITY e0 "ha">${entities}]><a>&e20;</a>`],
    ["an entity that names a file", "xml", "json", '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>'],
    ["deep XML", "xml", "json", "<a>".repeat(100_000)],
    ["aliases that multiply", "yaml", "json", `a0: &a0 [x,x]\n${aliases}`],
    ["deep YAML", "yaml", "json", "[".repeat(100_000)],
    ["an alias of itself", "yaml", "json", "&a [*a]"],
    ["a gzip bomb", "gzip", "text", base64(gzipSync(Buffer.alloc(100_000_000)))],
    ["a zip bomb", "zip", "json", base64(zipSync({ a: Buffer.alloc(20_000_000) }))],
    ["an xlsx bomb", "xlsx", "json", base64(zipSync({ "xl/workbook.xml": Buffer.alloc(20_000_000) }))],
    ["a cell that is far away", "xlsx", "json", sparse("XFD1048576")],
    ["many columns", "json", "csv", Array.from({ length: 2_000 }, (_, index) => ({ [`c${index}`]: 1 }))],
    ["names that are markup", "json", "xml", { "a><script": 1 }],
    ["bytes that are no text", "base64", "text", "//79"],
    ["no base64", "base64", "text", "no base64 at all!"],
    ["no zip archive", "zip", "json", base64("PK nothing")],
    ["no JSON", "text", "json", "{"],
    ["a list for XML", "json", "xml", [1]],
    ["a value for CSV", "csv", "json", { a: 1 }],
  ])("%s", async (_, from, to, value) => {
    expect(await outputOf(from, to, value)).toEqual({ problem: expect.any(String) });
    expect(await outputOf("csv", "json", "a\n1")).toEqual([{ a: "1" }]);
  });

  test("a file in a zip archive may be no larger than the archive's directory says", async () => {
    expect(await outputOf("zip", "json", lyingZip())).toEqual([{ name: "a.txt", size: 1, text: "\0" }]);
  });

  test("deeply nested HTML is handled", async () => {
    await outputOf("html", "text", "<b>".repeat(200_000));
    await outputOf("markdown", "html", ">".repeat(100_000));
    expect(await outputOf("csv", "json", "a\n1")).toEqual([{ a: "1" }]);
  });

  test("one that takes too long is stopped, and the next gets a new process", async () => {
    const options = { from: "yaml", to: "json", header: true, delimiter: "," } as const;
    const text = "- a\n".repeat(500_000);
    expect(await convert({ options, input: { text } }, "owner", never, 50)).toEqual({
      problem: "it takes too much time or memory",
    });
    expect(await outputOf("csv", "json", "a\n1")).toEqual([{ a: "1" }]);
  });

  test("one that takes all memory ends no other process", async () => {
    const value = Array.from({ length: 800_000 }, () => "a: b");
    // Whether it fits depends on when the collector runs.
    const possible = [expect.any(String), { problem: "it takes too much time or memory" }];
    expect(possible).toContainEqual(await outputOf("json", "yaml", value));
    expect(await outputOf("csv", "json", "a\n1")).toEqual([{ a: "1" }]);
  });

  test("one that comes while an idle process ends gets another", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      for (let time = 0; time < 2; time += 1) {
        expect(await outputOf("text", "base64", "a")).toBe("YQ==");
        vi.advanceTimersByTime(60_000);
      }
    } finally {
      vi.useRealTimers();
    }
  });

  test("an owner behind many conversions of another gets its turn, and aborted ones are skipped", async () => {
    const options = { from: "csv", to: "json", header: true, delimiter: "," } as const;
    const text = "a,b\n".repeat(20_000);
    const order: string[] = [];
    const send = async (owner: string, signal = never) => {
      await convert({ options, input: { text } }, owner, signal);
      order.push(owner);
    };
    const many = Array.from({ length: 20 }, () => send("many"));
    const leaving = new AbortController();
    const left = send("left", leaving.signal);
    leaving.abort(new Error("left"));
    await expect(left).rejects.toThrow("left");
    await send("one");
    expect(order.length).toBeLessThan(8);
    await Promise.all(many);
    expect(conversionLimits.timeMs).toBeGreaterThan(0);
  });
});
