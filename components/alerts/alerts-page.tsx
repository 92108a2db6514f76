"use client";
import { Group } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useId, useState } from "react";
import { useApi, useChange } from "#components/api/use-api.ts";
import { useRemaining } from "#components/deletion/pending-deletion.ts";
import table from "#components/list/data-table.module.css";
import { type Column, DataTable, DataTableSkeleton } from "#components/list/data-table.tsx";
import { EmptyNotice } from "#components/list/empty-notice.tsx";
import { type ListQuery, ListStates } from "#components/list/list-states.tsx";
import { lazyPart } from "#components/page/lazy-part.tsx";
import { Link } from "#components/page/link.tsx";
import { GuardedButton } from "#components/page/link-button.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { ActiveMark } from "#components/status/active-mark.tsx";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { ShownAlert, ShownAlertRule } from "#lib/contract/alerts.ts";
import { alertAddress, alertQueries } from "./alert-queries.ts";
import { ruleInWords } from "./alerts.ts";
import styles from "./alerts-page.module.css";
import { RuleActions } from "./rule-actions.tsx";

const example = { name: "Three failures in a row", kind: "failures_in_row", threshold: 3 } as const;

/** Creates the most common first rule with one click. */
function ExampleRule() {
  const make = useChange({
    run: (api) => api.call("createAlertRule", { body: example }),
    stale: ["alerts"],
    done: "Rule created. You will be alerted when any flow fails three times in a row.",
    failed: "The rule was not created.",
  });
  return (
    <GuardedButton
      scope="webhooks:write"
      variant="default"
      loading={make.isPending}
      onClick={() => make.mutate(undefined)}
    >
      Alert on three failures in a row
    </GuardedButton>
  );
}

const RuleForm = lazyPart(async () => ({ default: (await import("./rule-form.tsx")).RuleForm }));

const ruleColumns: readonly Column<ShownAlertRule>[] = [
  { head: "Name", kind: "lead", width: 140, cell: ({ name }) => <strong>{name}</strong> },
  { head: "Alert when", width: 200, cell: ruleInWords },
  {
    head: "Flow",
    kind: "muted",
    label: "Flow",
    cell: ({ flowId, flowName }) => (flowId === null ? "every flow" : (flowName ?? "a deleted flow")),
  },
  {
    head: "Email to",
    kind: "muted",
    label: "Email to",
    cell: ({ emails }) => (emails.length === 0 ? "nobody" : emails.join(", ")),
  },
  { head: "Status", cell: ({ active }) => <ActiveMark active={active} words="Watching" icon={IconEye} /> },
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

/** Alert rules, and the alerts that they raised. */
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
        facts="Rules that watch your runs and alert you when something goes wrong."
        actions={hasRules && make}
      />
      <AlertSection
        title="Rules"
        query={rules}
        columns={ruleColumns}
        failure="The rules could not be loaded"
        empty={
          <EmptyNotice
            title="Know before your users do."
            text="For example: a flow fails three times in a row, a run takes longer than a minute, or nothing has run for a day. Alerts appear here, arrive by email, and go to webhooks that subscribe to alert.fired."
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
          title="Latest alerts"
          query={alerts}
          columns={alertColumns}
          failure="The alerts could not be loaded"
          empty={<p className={styles.none}>No alerts yet.</p>}
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

interface AlertSectionProps<Row> {
  readonly title: string;
  readonly query: ListQuery<Row>;
  readonly columns: readonly Column<Row>[];
  readonly failure: string;
  readonly empty: ReactNode;
}

/** One of the page's two lists under its heading. */
function AlertSection<Row extends { readonly id: string }>(section: AlertSectionProps<Row>) {
  const { title, columns, ...states } = section;
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.section}>
      <h2 id={id} className={styles.heading}>
        {title}
      </h2>
      <ListStates {...states} skeleton={<DataTableSkeleton columns={columns} />}>
        {(items) => <DataTable columns={columns} rows={items} keyOf={(row) => row.id} />}
      </ListStates>
    </section>
  );
}
