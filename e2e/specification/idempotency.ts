import type { Section } from "./section.ts";

export const idempotency: Section = {
  replay: [
    "The same key with the same body gives the first answer again, with `Idempotency-Replayed: true`",
    "idempotency > Idempotency-Key > the same request gets the first answer again and starts nothing twice",
  ],
  posts: [
    "Every POST under /flows and /executions takes a key, and no other",
    "openapi > tells Idempotency-Key of every POST under /flows and /executions, and of nothing else",
  ],
  "24-hours": [
    "A key is free again after 24 hours",
    "idempotency > a key that was kept > is free again after 24 hours, and not before",
  ],
  workspace: ["Keys belong to a workspace", "idempotency > a key that was kept > is another workspace's to use"],
  "other-request": [
    "The same key with another body or path is 409",
    "idempotency > Idempotency-Key > 409 for another body, and on another path",
  ],
  "in-flight": [
    "While the first is being answered, 409 with Retry-After",
    "idempotency > Idempotency-Key > of 20 at once one is done; the others are told to come back, or get its answer",
  ],
  errors: [
    "Errors are not kept",
    "idempotency > Idempotency-Key > errors are not kept: mended, the same key may be sent again",
  ],
  "too-long": [
    "A key over 255 characters is 400",
    "idempotency > Idempotency-Key > 400 for a key over 255 characters or without any",
  ],
  "before-id": [
    "A replay comes before the look for the id",
    "idempotency > a key that was kept > is answered although the flow is gone",
  ],
};
