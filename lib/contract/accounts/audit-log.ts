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
    id: z.string(),
    at: timestamp,
    action: z.enum(auditActions),
    /** Who did it, by their name at that time: a person's e-mail address, or a key's name. */
    actor: z.object({ kind: z.enum(["user", "key", "system"]), id: z.string(), name: z.string() }),
    subject: z.object({ type: z.enum(auditSubjects), id: z.string(), name: z.string().nullable() }),
    ip: z.string().nullable(),
    requestId: z.string().nullable(),
    /** What changed, without secrets. */
    before: z.record(z.string(), z.unknown()).nullable(),
    after: z.record(z.string(), z.unknown()).nullable(),
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
    action: oneOf("action", auditActions).optional(),
    subjectType: oneOf("subjectType", auditSubjects).optional(),
    actor: searchText("actor").optional(),
    subject: searchText("subject").optional(),
    startDate: time("startDate", "start").optional(),
    endDate: time("endDate", "end").optional(),
  }),
  shape: "list",
  status: 200,
  answer: auditEntry,
});

export type AuditQuery = z.output<(typeof listAuditLog)["query"]>;
export type ShownAuditEntry = z.input<typeof auditEntry>;
