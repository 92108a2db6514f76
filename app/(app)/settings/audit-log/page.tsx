import type { Metadata } from "next";
import { AuditList } from "#components/audit/audit-list.tsx";

export const metadata: Metadata = { title: "Audit log" };

export default function AuditLogPage() {
  return <AuditList />;
}
