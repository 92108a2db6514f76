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
  credential: ["created", "updated", "deleted", "connected", "tested"],
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
    /** Who did it, by their name at the time: a person's email address, or a key's name. */
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
      .describe("What it affected"),
    ip: z.string().nullable().describe("The IP address it came from"),
    requestId: z.string().nullable().describe("The request's `X-Request-Id`"),
    /** What changed, without secrets. */
    before: z.record(z.string(), z.unknown()).nullable().describe("The value before"),
    after: z.record(z.string(), z.unknown()).nullable().describe("The value after"),
  })
  .meta({ id: "AuditEntry" });

export const listAuditLog = endpoint({
  method: "GET",
  path: "/audit-log",
  tag: "Audit log",
  summary: "Read the audit log",
  description:
    "Who did what in the workspace, newest first. Entries cannot be changed. `actor` is the id of a person or a key, `subject` the id of what was affected; dates as in the list of executions.",
  scope: "audit:read",
  query: z.object({
    ...paging,
    action: oneOf("action", auditActions).optional().describe("What was done"),
    subjectType: oneOf("subjectType", auditSubjects).optional().describe("The type of what was affected"),
    actor: searchText("actor").optional().describe("Who did it"),
    subject: searchText("subject").optional().describe("What it affected"),
    startDate: time("startDate", "start").optional().describe("At or after this time"),
    endDate: time("endDate", "end").optional().describe("At or before this time"),
  }),
  shape: "list",
  answer: auditEntry,
});

export type AuditQuery = z.output<(typeof listAuditLog)["query"]>;
export type ShownAuditEntry = z.input<typeof auditEntry>;
