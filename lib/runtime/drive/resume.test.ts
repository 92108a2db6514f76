// Anyone can call a resume URL: whatever stands in one is a token issued here, or none.
import { expect, test } from "vitest";
import { inOwnDatabase } from "#e2e/support/own-database.ts";
import { newId } from "#lib/platform/ids.ts";
import { resumePort } from "./resume.ts";

inOwnDatabase();

test.each(["ask", "\u0000", "ask\u0000", "\ufffd", "ask:1.2"])(
  "a made-up token for the step %j finds nothing",
  async (step) => {
    const token = `${newId("execution")}.${Buffer.from(step).toString("base64url")}.${"A".repeat(43)}`;
    expect(await resumePort.find(token)).toBeNull();
  },
);
