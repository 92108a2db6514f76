import type { Section } from "./section.ts";

export const executionsDelete: Section = {
  one: [
    "204, and the record is gone",
    "executions-delete > a deleted execution is answered with 204 and is gone, with its log and its count",
  ],
  running: ["A running execution is cancelled first", "executions-delete > a run that is deleted is cancelled first"],
  missing: ["A missing execution is 404", "executions-delete > 404 for %s"],
  "many-answer": [
    "Bulk: 200 with deletedCount and a message",
    "executions-stats > DELETE /executions > 200: filters combine, and the flow's own figures follow",
  ],
  "many-without-filter": [
    "Bulk without any filter is 400 and deletes nothing",
    "executions-stats > DELETE /executions > 400 without any filter, and nothing is deleted",
  ],
  "many-combined": [
    "Bulk filters combine with AND",
    "executions-stats > DELETE /executions > 200: filters combine, and the flow's own figures follow",
  ],
  "many-older-than": [
    "`olderThan` compares startedAt",
    "executions-stats > DELETE /executions > 200: only what started before",
  ],
  "many-ids": [
    "`executionIds` names those to delete",
    "executions-stats > DELETE /executions > 200: by ids, an empty list being none; those of nobody count for nothing",
  ],
  "many-invalid": [
    "A wrong bulk filter is 400",
    "executions-stats > DELETE /executions > 400 for filters that are not of their kind",
  ],
};
