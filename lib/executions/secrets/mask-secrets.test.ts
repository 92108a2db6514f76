import { describe, expect, test } from "vitest";
import { createMask } from "./mask-secrets.ts";

const secret = `pä:s/s w"o+r\\d&'é?#%\n1`;
const mask = createMask([secret, "sk_live_4242", "12345678"]);

describe("a secret is masked however it is written", () => {
  // Proves expressions.masked-forms
  test.each([
    ["as it is", secret],
    ["in JSON", JSON.stringify(secret).slice(1, -1)],
    ["in JSON within JSON", JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ["as a URL's component", encodeURIComponent(secret)],
    ["as a URL's component in lower case", encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ["in a form", new URLSearchParams({ a: secret }).toString().slice(2)],
    ["as base64", Buffer.from(secret).toString("base64")],
    ["as base64 for URLs", Buffer.from(secret).toString("base64url")],
    ["in hexadecimal digits", Buffer.from(secret).toString("hex")],
    ["in upper-case ones", Buffer.from(secret).toString("hex").toUpperCase()],
  ])("%s", (_case, written) => {
    expect(mask.text(`before ${written} after`)).toBe("before ••• after");
  });

  test.each(["", "u", "us", "use", "user"])("within the base64 of %j and it, with any password after", (user) => {
    for (const after of ["", "x", "xy", "xyz"]) {
      const bytes = Buffer.from(`${user}:sk_live_4242${after}`);
      for (const encoding of ["base64", "base64url"] as const) {
        const masked = mask.text(`Basic ${bytes.toString(encoding)}`);
        expect(masked).toContain("•••");
        expect(Buffer.from(masked.replace("Basic ", "").replace("•••", ""), "base64").toString()).not.toMatch(
          /live|424/,
        );
      }
    }
  });

  test("with the base64 characters that it shares with its neighbours", () => {
    expect(mask.text(`Basic ${btoa("u:sk_live_4242")}`)).toBe("Basic dT•••");
  });

  test.each(["secret-1", "secret-12", "secret-123"])("as the whole base64 of %s, padding included", (own) => {
    const masked = createMask([own]).text(`<${btoa(own)}> ${btoa(own)}.`);
    expect(masked).toBe("<•••> •••.");
  });

  test("in a URL's query assembled by hand", () => {
    const own = createMask(["a b{c}ü"]);
    expect(own.text(new URL("http://x/?k=a b{c}ü&z").href)).toBe("http://x/?k=•••&z");
  });

  test("in a URL's path assembled by hand", () => {
    const own = createMask([`a "b|c\\d`]);
    expect(own.text(new URL(`http://x/y/a "b|c\\d/z`).href)).toBe("http://x/y/•••/z");
  });

  test("in lowercase as a host name, if it cannot be a word", () => {
    const own = createMask(["AbC-4242.x9", "Shop"]);
    expect(own.text('{"host":"abc-4242.x9.example.com","shop":1}')).toBe('{"host":"•••.example.com","shop":1}');
  });

  test.each([
    ["Shop", "https://Shop.example.com/a"],
    ["XyZw", "http://api-XyZw-eu.example.com"],
    ["GrößeÄ", "http://GrößeÄ.example.com"],
    ["Key%41bc", "http://Key%41bc.example.com"],
    ["1234567890", "http://1234567890/"],
    ["0x7F123456", "http://0x7F123456/"],
  ])("as the host that %s becomes, in messages", (own, written) => {
    const { href } = new URL(written);
    expect(href).not.toContain(own);
    const masked = createMask([own]).message(`GET ${href} failed: no such host`);
    expect(masked).toContain("•••");
    expect(masked.toLowerCase()).not.toMatch(/shop|xyzw|xn--|keyabc|73\.150|127\.18/);
  });

  test("a word's lowercase only in the hosts of URLs: it is kept where a message uses the word", () => {
    const own = createMask(["Monday", "SHOP"]);
    const text = "Order of monday for the shop, see https://example.com/monday/shop?day=monday and monday.example.com";
    expect(own.message(text)).toBe(text);
    expect(own.message("Monday's SHOP")).toBe("•••'s •••");
    expect(own.message("on monday: GET https://a:b@api.MONDAY.example.com:8443/monday, WS://shop.")).toBe(
      "on monday: GET https://a:b@api.•••.example.com:8443/monday, WS://•••.",
    );
  });

  test("a host named by one of the message's URLs, also by itself", () => {
    const own = createMask(["MyShop"]);
    expect(own.message("GET http://myshop:80/a failed: The name myshop could not be resolved (myshop)")).toBe(
      "GET http://•••:80/a failed: The name ••• could not be resolved (•••)",
    );
    expect(own.message("myshop and http://other.example.com")).toBe("myshop and http://other.example.com");
  });

  test("many URLs in one message, each host by itself", () => {
    const own = createMask(["MyShop"]);
    const urls = Array.from({ length: 20_000 }, (_, index) => `http://h${index}.myshop.example.com/myshop`).join(" ");
    const masked = own.message(`${urls} ${"://".repeat(20_000)}`);
    expect(masked.match(/\.•••\.example\.com\/myshop/g)).toHaveLength(20_000);
  });

  test("by serializers that escape slashes or all non-ASCII characters", () => {
    const own = createMask(["ab/cd", "größe"]);
    expect(own.text('{"a":"ab\\/cd","b":"gr\\u00f6\\u00dfe"}')).toBe('{"a":"•••","b":"•••"}');
  });

  test("without surrounding spaces, as a header is sent", () => {
    expect(createMask([" padded-1\n"]).text("got padded-1;")).toBe("got •••;");
  });

  test("every time it occurs", () => {
    expect(mask.text("sk_live_4242,sk_live_4242sk_live_4242")).toBe("•••,••••••");
  });
});

describe("values", () => {
  test("strings and keys at any depth are masked, everything else is kept", () => {
    const value = { a: ["x sk_live_4242", 1, null, true], "k-sk_live_4242": { b: "fine" } };
    expect(mask.value(value)).toEqual({ a: ["x •••", 1, null, true], "k-•••": { b: "fine" } });
    expect(value.a[0]).toBe("x sk_live_4242");
  });

  test("a number that spells a secret is masked", () => {
    expect(mask.value([12345678, 1234567])).toEqual(["•••", 1234567]);
  });

  test("a key named __proto__ stays a key", () => {
    const masked = mask.value(JSON.parse('{"__proto__":{"polluted":"sk_live_4242"}}'));
    expect(JSON.stringify(masked)).toBe('{"__proto__":{"polluted":"•••"}}');
  });

  test("depth and cycles do not overflow the stack", () => {
    let deep: unknown = "sk_live_4242";
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    let masked = mask.value(deep);
    while (Array.isArray(masked)) masked = masked[0];
    expect(masked).toBe("•••");
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    expect(mask.value(cyclic)).toMatchObject({ self: { self: {} } });
  });
});

describe("values that are not masked", () => {
  test("without secrets the same object is returned", () => {
    const none = createMask([]);
    const value = { a: 1 };
    expect(none.value(value)).toBe(value);
    expect(none.text("text")).toBe("text");
  });

  test("secrets under four characters, whitespace and empty ones", () => {
    expect(createMask(["", "abc", "      "]).text("abc      d")).toBe("abc      d");
  });

  test("text that resembles a secret", () => {
    expect(mask.text("sk_live_4243 sk_live")).toBe("sk_live_4243 sk_live");
  });
});

test("the longer of two secrets that overlap goes first", () => {
  expect(createMask(["abcd", "abcdefgh"]).text("abcdefgh abcd")).toBe("••• •••");
});

test("a secret with a lone surrogate causes no error", () => {
  expect(createMask(["abc\ud800d"]).text("x abc\ud800d")).toBe("x •••");
});
