import { expect, test } from "vitest";
import { pageAfterSignIn, signInAddress } from "./page-after-sign-in.ts";

test("a path of this site is kept with its query", () => {
  expect(pageAfterSignIn("/runs?status=failed&page=2")).toBe("/runs?status=failed&page=2");
  expect(pageAfterSignIn("/flows/flow_1#nodes")).toBe("/flows/flow_1#nodes");
});

test.each([
  undefined,
  ["/runs", "/flows"],
  "",
  "/",
  "runs",
  "https://example.com/runs",
  "//example.com",
  "///example.com",
  "/\\example.com",
  "\\\\example.com",
  "/\t/example.com",
  "/\n/example.com",
  "/.//example.com",
  "/a/..//example.com",
  "//[",
  "javascript:alert(1)",
])("%j leads to the overview", (path) => {
  expect(pageAfterSignIn(path)).toBe("/");
});

test("the sign-in page is given the requested page, unless that is the first one", () => {
  expect(signInAddress("/runs?status=failed")).toBe("/sign-in?next=%2Fruns%3Fstatus%3Dfailed");
  expect(signInAddress("/")).toBe("/sign-in");
  expect(signInAddress(null)).toBe("/sign-in");
});
