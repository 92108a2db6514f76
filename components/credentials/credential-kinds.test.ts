import { expect, test } from "vitest";
import { dataOf, hasValues, hostsOf, noValues } from "./credential-kinds.ts";

test("empty optional fields are left out; required ones are sent for the API to check", () => {
  const values = { ...noValues, known: { secret: "hush-hush", toleranceSeconds: "300", prefix: "" } };
  expect(dataOf("hmac", values)).toEqual({ secret: "hush-hush", toleranceSeconds: 300 });
  expect(dataOf("basic", noValues)).toEqual({ username: "", password: "" });
});

test("a credential of several values has the named ones", () => {
  const own = [
    { name: " host ", value: "db" },
    { name: "", value: "" },
  ];
  expect(dataOf("custom", { ...noValues, own })).toEqual({ host: "db" });
});

test("an untouched form has no values", () => {
  expect(hasValues(noValues)).toBe(false);
  expect(hasValues({ ...noValues, known: { token: "t" } })).toBe(true);
});

test("hosts are one per line or separated by commas", () => {
  expect(hostsOf("a.example, b.example\n\n*.c.example ")).toEqual(["a.example", "b.example", "*.c.example"]);
});

test("fields of another grant are left out, even if filled in before", () => {
  const typed = { grant: "client_credentials", authorizationUrl: "https://a.example", tokenUrl: "https://t.example" };
  const { clientId, ...data } = dataOf("oauth2", { known: { ...typed, clientId: "c" }, own: [] });
  expect([clientId, data]).toEqual(["c", { grant: "client_credentials", tokenUrl: "https://t.example" }]);
});
