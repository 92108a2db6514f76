"use client";

import { Group } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { lazy, Suspense, useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { useRemaining } from "#components/deletion/use-remaining.ts";
import table from "#components/page/data-table.module.css";
import type { Column } from "#components/page/data-table.tsx";
import { EmptyNotice } from "#components/page/empty-notice.tsx";
import { GuardedButton } from "#components/page/guarded-button.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { ActiveMark } from "#components/status/active-mark.tsx";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { ShownAlert, ShownAlertRule } from "#lib/contract/alerts.ts";
import { alertAddress } from "./alert-address.ts";
import { ruleInWords } from "./alert-kinds.ts";
import { alertQueries } from "./alert-queries.ts";
import { AlertSection } from "./alert-section.tsx";
import styles from "./alerts-page.module.css";
import { ExampleRule } from "./example-rule.tsx";
import { RuleActions } from "./rule-actions.tsx";

const RuleForm = lazy(async () => ({ default: (await import("./rule-form.tsx")).RuleForm }));

const ruleColumns: readonly Column<ShownAlertRule>[] = [
  { head: "Name", kind: "lead", width: 140, cell: ({ name }) => <strong>{name}</strong> },
  { head: "Tells when", width: 200, cell: ruleInWords },
  {
    head: "Flow",
    kind: "muted",
    label: "Flow",
    cell: ({ flowId, flowName }) => (flowId === null ? "every flow" : (flowName ?? "a flow that was deleted")),
  },
  {
    head: "Mail to",
    kind: "muted",
    label: "Mail to",
    cell: ({ emails }) => (emails.length === 0 ? "nobody" : emails.join(", ")),
  },
  { head: "State", cell: ({ active }) => <ActiveMark active={active} words="Watching" icon={IconEye} /> },
  {
    head: "Last alert",
    kind: "muted",
    label: "Last alert",
    cell: ({ lastAlertAt }) => (lastAlertAt === null ? "never" : <RelativeTime at={lastAlertAt} />),
  },
  { head: "Actions", kind: "actions", width: 24, cell: (rule) => <RuleActions rule={rule} /> },
];

const alertColumns: readonly Column<ShownAlert>[] = [
  {
    head: "What happened",
    kind: "lead",
    width: 280,
    cell: (alert) => (
      <Link href={alertAddress(alert)} className={table.rowLink}>
        {alert.message}
      </Link>
    ),
  },
  { head: "Rule", kind: "muted", label: "Rule", cell: ({ ruleName }) => ruleName },
  { head: "When", kind: "muted", width: 60, cell: ({ at }) => <RelativeTime at={at} /> },
];

/** What watches the runs, and what it found. */
export function AlertsPage() {
  const api = useApi();
  const { read } = useUrlState();
  const [making, setMaking] = useState(false);
  const rules = useRemaining(useQuery(alertQueries.rules(api)));
  const alerts = useQuery(alertQueries.alerts(api, read("page")));
  const make = (
    <GuardedButton scope="webhooks:write" onClick={() => setMaking(true)}>
      New rule
    </GuardedButton>
  );
  const hasRules = (rules.data?.pagination.total ?? 0) > 0;
  return (
    <>
      <PageHeader
        title="Alerts"
        facts="Rules that watch the runs, and tell when something is wrong."
        actions={hasRules && make}
      />
      <AlertSection
        title="Rules"
        query={rules}
        columns={ruleColumns}
        failure="The rules could not be loaded"
        empty={
          <EmptyNotice
            title="A rule tells you before your users do."
            text="For example: three runs of a flow fail in a row, a run takes longer than a minute, or nothing has run for a day. It tells here, by mail, and to webhooks that subscribe to alert.fired."
          >
            <Group gap="xs">
              {make}
              <ExampleRule />
            </Group>
          </EmptyNotice>
        }
      />
      {hasRules && (
        <AlertSection
          title="Latest"
          query={alerts}
          columns={alertColumns}
          failure="The alerts could not be loaded"
          empty={<p className={styles.none}>No rule has found anything.</p>}
        />
      )}
      {making && (
        <Suspense>
          <RuleForm onClose={() => setMaking(false)} />
        </Suspense>
      )}
    </>
  );
}
