// Addresses are counted as networks: what one client does must not keep strangers from signing in.
import { expect, test } from "vitest";
import { inOwnDatabase } from "#e2e/support/own-database.ts";
import { attemptSignIn, countEntry } from "./sign-in-throttle.ts";

inOwnDatabase();

/** Requests from an address until it has to wait; false if it never had to. */
async function wearOut(ip: string): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    const refused = await countEntry("sign-up", ip).then(
      () => false,
      () => true,
    );
    if (refused) return true;
  }
  return false;
}

test("an IPv4 address in IPv6 form, as proxies on dual-stack sockets write it, is one client's", async () => {
  expect(await wearOut("::ffff:198.51.100.1")).toBe(true);
  await expect(countEntry("sign-up", "::ffff:198.51.100.2")).resolves.toBeUndefined();
  expect(await attemptSignIn("ann@example.com", "::ffff:198.51.100.3")).not.toBeNull();
  await expect(countEntry("sign-up", "198.51.100.1")).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
});

test("all addresses of an IPv6 network are one client's", async () => {
  expect(await wearOut("2001:db8:1:2::1")).toBe(true);
  await expect(countEntry("sign-up", "2001:db8:1:2:3:4:5:6")).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
  await expect(countEntry("sign-up", "2001:db8:1:3::1")).resolves.toBeUndefined();
});
