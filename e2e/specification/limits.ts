import type { Section } from "./section.ts";

export const limits: Section = {
  free: [
    "Free: 100 requests an hour",
    "quota > a free workspace has 100 requests an hour > exactly 100 of 300 at once are answered, the others are refused with 429",
  ],
  "pro-enterprise": ["Pro: 1,000; enterprise: 10,000", "quota > other tiers > %s has %i requests an hour"],
  headers: [
    "X-RateLimit-Limit, -Remaining and -Reset on every response to a key",
    "quota > a free workspace has 100 requests an hour > every answer to a key has the three headers, whatever its status",
  ],
  reset: [
    "-Reset is in Unix seconds, the end of a fixed hour",
    "quota > a free workspace has 100 requests an hour > a refusal tells when to come back: in seconds, in the header, and as the hour's end",
  ],
  workspace: [
    "The quota is the workspace's, over all its keys",
    "quota > a free workspace has 100 requests an hour > its keys share them",
  ],
  exact: [
    "Counting is right under concurrency",
    "quota > a free workspace has 100 requests an hour > exactly 100 of 300 at once are answered, the others are refused with 429",
  ],
  "first-tier": [
    "The first workspace is enterprise unless DEFAULT_TIER is set",
    "lib/platform/env.test.ts > settings > DEFAULT_TIER is the first workspace's tier too",
  ],
  body: [
    "A body has at most 1 MiB",
    "errors > a request body > may be 1 MiB large and no larger",
    "errors > a request body > is counted while it arrives when its length is not told",
  ],
  nesting: [
    "JSON is nested at most 64 levels, its root the first",
    "errors > a request body > may be nested 64 levels deep and no deeper",
    "lib/http/read-body.test.ts > a JSON object > 65 levels are too deep, 64 are not",
  ],
  session: ["A session counts against no quota", "quota > a session counts against no quota"],
};
