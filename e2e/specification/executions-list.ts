import type { Section } from "./section.ts";

export const executionsList: Section = {
  item: [
    "An item has the twelve fields of the list",
    "executions-list > a list item > has the fields of the list and no others",
  ],
  "open-run": [
    "An open run has neither completedAt nor duration",
    "executions-list > a list item > of an open run has no end",
  ],
  "error-count": [
    "`errorCount` counts failed nodes",
    "executions-list > a list item > of a failed run counts its errors, and tells why it failed",
  ],
  "flow-id": [
    "`flowId` keeps the runs of one flow",
    "lists-by-model > lists > of executions: any filter, order and page is as the model has it",
  ],
  status: [
    "`status` takes every status of an execution",
    "executions-list > filters > status=%s",
    "executions-list > 400 for what a parameter cannot be > %s=%j",
  ],
  bounds: [
    "`startDate` and `endDate` compare with startedAt, both inclusive",
    "executions-list > filters > startDate and endDate compare with startedAt, both inclusive",
  ],
  "bare-date": ["A bare date is the whole UTC day", "executions-list > filters > a bare date means the whole UTC day"],
  "time-zones": [
    "A time has an offset or is UTC",
    "executions-list > filters > a time with an offset is the same moment",
    "executions-list > filters > a time without an offset is UTC, and long ago is a time as well",
  ],
  "unreadable-date": ["An unreadable date is 400", "executions-list > 400 for what a parameter cannot be > %s=%j"],
  "sort-by": [
    "`sortBy` is startedAt (default), completedAt or duration",
    "lists-by-model > lists > of executions: any filter, order and page is as the model has it",
    "executions-list > 400 for what a parameter cannot be > %s=%j",
  ],
  order: ["`order` is desc unless told otherwise", "executions-list > pages > the default is the latest first"],
};
