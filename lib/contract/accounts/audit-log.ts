import { z } from "zod";
import { endpoint } from "#lib/contract/endpoint.ts";
import { oneOf, paging, searchText, time } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";

/** The kinds of subjects, and the actions on each. Every entry of the log is one of these. */
export const auditVerbs = {
  workspace: ["created", "renamed", "updated"],
  member: ["joined", "left", "removed", "role_changed"],
  invitation: ["created", "withdrawn"],
  session: ["started", "ended"],
  account: [
    "password_changed",
    "password_reset",
    "two_factor_enabled",
    "two_factor_disabled",
    "recovery_codes_renewed",
  ],
  key: ["created", "rotated", "revoked"],
  credential: ["created", "updated", "deleted", "connected"],
  flow: ["created", "updated", "deleted", "published", "draft_discarded"],
  flow_test: ["created", "updated", "deleted"],
  webhook: ["created", "updated", "deleted"],
  alert_rule: ["created", "updated", "deleted"],
  table: ["created", "updated", "deleted", "imported"],
  service: ["created", "updated", "deleted"],
  file: ["uploaded", "deleted"],
  executions: ["deleted", "cancelled", "retried"],
} as const;

export type AuditSubject = keyof typeof auditVerbs;
export type AuditAction = { [S in AuditSubject]: `${S}.${(typeof auditVerbs)[S][number]}` }[AuditSubject];

export const auditSubjects = Object.keys(auditVerbs) as AuditSubject[];
export const auditActions = Object.entries(auditVerbs).flatMap(([subject, verbs]) =>
  verbs.map((verb) => `${subject}.${verb}`),
);

export const auditEntry = z
  .object({
    id: z.string().describe("Its id"),
    at: timestamp.describe("When"),
    action: z.enum(auditActions).describe("What was done"),
    /** Who did it, by their name at that time: a person's e-mail address, or a key's name. */
    actor: z
      .object({
        kind: z.enum(["user", "key", "system"]).describe("Who it is: a person, a key, or the service itself"),
        id: z.string().describe("Its id"),
        name: z.string().describe("Its name"),
      })
      .describe("Who did it"),
    subject: z
      .object({
        type: z.enum(auditSubjects).describe("Its type"),
        id: z.string().describe("Its id"),
        name: z.string().nullable().describe("Its name"),
      })
      .describe("What it was done to"),
    ip: z.string().nullable().describe("The address it came from"),
    requestId: z.string().nullable().describe("The request: its `X-Request-Id`"),
    /** What changed, without secrets. */
    before: z.record(z.string(), z.unknown()).nullable().describe("What it was"),
    after: z.record(z.string(), z.unknown()).nullable().describe("What it became"),
  })
  .meta({ id: "AuditEntry" });

export const listAuditLog = endpoint({
  method: "GET",
  path: "/audit-log",
  tag: "Audit log",
  summary: "Read the audit log",
  description:
    "Who did what in the workspace, the newest first. Nothing in it can be changed. `actor` is a person's or a key's id, `subject` the id of what it was done to; dates as in the list of executions.",
  scope: "audit:read",
  query: z.object({
    ...paging,
    action: oneOf("action", auditActions).optional().describe("What was done"),
    subjectType: oneOf("subjectType", auditSubjects).optional().describe("What kind of thing it was done to"),
    actor: searchText("actor").optional().describe("Who did it"),
    subject: searchText("subject").optional().describe("What it was done to"),
    startDate: time("startDate", "start").optional().describe("From then on"),
    endDate: time("endDate", "end").optional().describe("Up to then"),
  }),
  shape: "list",
  status: 200,
  answer: auditEntry,
});

export type AuditQuery = z.output<(typeof listAuditLog)["query"]>;
export type ShownAuditEntry = z.input<typeof auditEntry>;
