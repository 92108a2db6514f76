import { expect, test } from "vitest";
import { ApiError } from "#lib/contract/client.ts";
import { explainFailure, sayFailure } from "./failure-notice.tsx";

test("a session that ended is said as such, and what was typed need not be lost", () => {
  const { why, todo } = explainFailure(new ApiError(401, "UNAUTHORIZED", "Sign in or send an API key", {}, null));
  expect(`${why} ${todo}`).toBe("Your session has ended. Sign in in another tab, then try again.");
});

test("a server that cannot take a request now says when to try again", () => {
  const error = new ApiError(503, "SERVICE_UNAVAILABLE", "The server is stopping", {}, null);
  expect(sayFailure(error)).toBe("The server is stopping. Wait a moment, then try again.");
});
