import { expect, test } from "vitest";
import { parseAllowList } from "./allow-list.ts";

test("an empty list allows nothing", () => {
  const list = parseAllowList(" , ");
  expect(list.opensHost("localhost", 80)).toBe(false);
  expect(list.opensAddress("127.0.0.1", 80)).toBe(false);
});

test("a name allows itself on every port, ignoring case, and no name that contains it", () => {
  const list = parseAllowList("API.internal");
  expect(list.opensHost("api.internal", 80)).toBe(true);
  expect(list.opensHost("api.internal", 8080)).toBe(true);
  expect(list.opensHost("x.api.internal", 80)).toBe(false);
  expect(list.opensHost("xapi.internal", 80)).toBe(false);
});

test("a name with a port allows that port only", () => {
  const list = parseAllowList("api.internal:8080");
  expect(list.opensHost("api.internal", 8080)).toBe(true);
  expect(list.opensHost("api.internal", 80)).toBe(false);
});

test("*.suffix allows subdomains, not the suffix itself", () => {
  const list = parseAllowList("*.corp.internal");
  expect(list.opensHost("a.b.corp.internal", 80)).toBe(true);
  expect(list.opensHost("corp.internal", 80)).toBe(false);
  expect(list.opensHost("evilcorp.internal", 80)).toBe(false);
});

test("addresses and blocks work in both families", () => {
  const list = parseAllowList("10.1.0.0/16, fd00::/8 192.168.0.7 127.0.0.1:4000 [::1]:4000");
  expect(list.opensAddress("10.1.2.3", 80)).toBe(true);
  expect(list.opensAddress("10.2.0.1", 80)).toBe(false);
  expect(list.opensAddress("::ffff:10.1.2.3", 80)).toBe(true);
  expect(list.opensAddress("fd12::1", 443)).toBe(true);
  expect(list.opensAddress("192.168.0.7", 9)).toBe(true);
  expect(list.opensAddress("127.0.0.1", 4000)).toBe(true);
  expect(list.opensAddress("127.0.0.1", 4001)).toBe(false);
  expect(list.opensAddress("::1", 4000)).toBe(true);
});

test("only an entry with a port allows a non-HTTP port", () => {
  expect(parseAllowList("10.0.0.0/8, db.internal").opensPort("db.internal", 5432)).toBe(false);
  expect(parseAllowList("db.internal:5432").opensPort("db.internal", 5432)).toBe(true);
  expect(parseAllowList("127.0.0.1:6379").opensPort("127.0.0.1", 6379)).toBe(true);
});

test.each(["*", "http://x", "a b/c", "10.0.0.0/99", "x:99999", "x:0", "[::1", "a..*", "*."])(
  "%s is not an entry, and is reported",
  (text) => {
    expect(() => parseAllowList(text)).toThrow("OUTBOUND_ALLOW");
  },
);
