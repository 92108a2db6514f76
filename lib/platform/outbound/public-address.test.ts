import { describe, expect, test } from "vitest";
import { isPublicAddress } from "./public-address.ts";

describe("an address is public", () => {
  test.each(["93.184.216.34", "8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8"])("%s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe("an address is not public", () => {
  test.each([
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.169.254",
    "192.0.0.192",
    "192.88.99.1",
    "198.18.0.1",
    "198.51.100.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "168.63.129.16",
    "::",
    "::1",
    "::127.0.0.1",
    "::8.8.8.8",
    "::ffff:127.0.0.1",
    "::ffff:168.63.129.16",
    "::ffff:0:8.8.8.8",
    "64:ff9b::808:808",
    "64:ff9b:1::a9fe:a9fe",
    "2002:a9fe:a9fe::",
    "2001:0:7f00:1::1",
    "2001:db8::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "fc00::1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "ff02::1",
    "100::1",
    "4000::1",
    "5f00::1",
    "",
    "example.com",
  ])("%s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
