import type { Section } from "./section.ts";

export const flowsRead: Section = {
  whole: [
    "A single read has variables, edges and averageExecutionTime too",
    "flows-read > a single flow > is what was created, with the figures of its runs",
  ],
  missing: [
    "A missing flow is 404",
    "flows-read > 404 for what no flow is called > %s",
    "flows-read > 404 for what no flow is called > an execution's id",
  ],
  etag: ["`ETag` is the version, strong", "flows-read > a single flow > has its version as a strong ETag"],
};
