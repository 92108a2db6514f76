// A call's body as its flow gets it: text is parsed, large bytes and the files of forms are stored.
import { describe, expect, test } from "vitest";
import { HeldBodies } from "#lib/http/held-bodies.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { CallBody } from "./call-body.ts";
import { callOf } from "./trigger-call.ts";

Object.assign(process.env, {
  DATABASE_URL: "postgresql://localhost/x",
  AUTH_SECRET: "a".repeat(32),
  ENCRYPTION_KEY: "b".repeat(32),
});

const calling = (body: BodyInit, type?: string, headers: Record<string, string> = {}) =>
  new CallBody(
    callOf(
      new Request("http://localhost/", {
        method: "POST",
        body,
        headers: { ...(type === undefined ? {} : { "content-type": type }), ...headers },
      }),
    ),
  );

/** Keeps files by their content. */
function keeper() {
  const saved: { name: string | undefined; contentType: string | undefined; size: number }[] = [];
  const save = async ({
    name,
    contentType,
    bytes,
  }: {
    name: string | undefined;
    contentType: string | undefined;
    bytes: AsyncIterable<Uint8Array>;
  }) => {
    let size = 0;
    for await (const part of bytes) size += part.length;
    saved.push({ name, contentType, size });
    return { file: `file_${saved.length}` };
  };
  return { kept: saved, save };
}

describe("a body", () => {
  test("of bytes is base64 up to 64 KiB, and a file beyond", async () => {
    const { kept: saved, save } = keeper();
    const small = Buffer.alloc(65_536, 7);
    expect((await calling(small, "image/png").read(save)).value()).toBe(small.toString("base64"));
    expect(saved).toEqual([]);
    const large = calling(Buffer.alloc(65_537, 7), "image/png");
    expect((await large.read(save)).value()).toEqual({ file: "file_1" });
    expect(saved).toEqual([{ name: undefined, contentType: "image/png", size: 65_537 }]);
    expect(large.saved).toEqual(["file_1"]);
    // If the flow is looked up again, it gets the same.
    expect((await large.read(save)).value()).toEqual({ file: "file_1" });
    expect(saved).toHaveLength(1);
  });

  test("that was read for a signature counts as held while it is stored as a file", async () => {
    const all = singleton("held-bodies", () => new HeldBodies());
    const body = calling(Buffer.alloc(100_000, 7), "image/png");
    await body.bytes();
    const held: number[] = [];
    await body.read(async ({ bytes }) => {
      for await (const _ of bytes) held.push(all.bytes);
      held.push(all.bytes);
      return { file: "file_1" };
    });
    expect(new Set(held)).toEqual(new Set([100_000]));
    expect(all.bytes).toBe(0);
  });

  test("that is compressed is refused as text, and passed on as bytes", async () => {
    const { save } = keeper();
    const coding = { "content-encoding": "gzip" };
    await expect(calling("{}", "application/json", coding).read(save)).rejects.toMatchObject({
      details: { body: expect.stringMatching(/compressed/) },
    });
    expect((await calling("abc", "application/octet-stream", coding).read(save)).value()).toBe("YWJj");
  });

  test("of a form has its files as references, a repeated name as a list, and no empty file", async () => {
    const { kept: saved, save } = keeper();
    const form = new FormData();
    form.append("name", "Ada");
    form.append("__proto__", "data");
    form.append("photos", new File(["12"], "a.png", { type: "image/png" }));
    form.append("photos", new File(["345"], "b.png", { type: "image/png" }));
    form.append("missing", new File([], ""));
    const { value } = await calling(form).read(save);
    expect(Object.entries(value() as object)).toEqual([
      ["name", "Ada"],
      ["__proto__", "data"],
      ["photos", [{ file: "file_1" }, { file: "file_2" }]],
    ]);
    expect(saved.map(({ name, size }) => [name, size])).toEqual([
      ["a.png", 2],
      ["b.png", 3],
    ]);
  });

  test("that was read for a signature is still stored as a file", async () => {
    const { kept: saved, save } = keeper();
    const body = calling(Buffer.alloc(100_000), "application/pdf");
    expect((await body.bytes()).length).toBe(100_000);
    expect((await body.read(save)).value()).toEqual({ file: "file_1" });
    expect(saved).toEqual([{ name: undefined, contentType: "application/pdf", size: 100_000 }]);
  });

  test("of JSON or text is parsed", async () => {
    const { save } = keeper();
    expect((await calling('{"a":1}', "application/json").read(save)).value()).toEqual({ a: 1 });
    expect((await calling("a=1&b=2", "application/x-www-form-urlencoded").read(save)).value()).toEqual({
      a: "1",
      b: "2",
    });
    expect((await calling("x".repeat(100_000), "text/plain").read(save)).value()).toBe("x".repeat(100_000));
    await expect(calling("--x", "multipart/form-data; boundary=x").read(save)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
  });
});
