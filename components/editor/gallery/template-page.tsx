"use client";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { lazy, Suspense, useState } from "react";
import { useApi, useChange } from "#components/api/use-api.ts";
import { flowQueries } from "#components/flows/flow-queries.ts";
import { explainFailure, FailureNotice } from "#components/page/failure-notice.tsx";
import { GuardedButton } from "#components/page/link-button.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import type { WholeTemplate } from "#lib/contract/templates.ts";
import { connectTemplate, missingTables } from "./prepare-template.ts";
import { TemplateTiles } from "./template-cards.tsx";
import type { Connections } from "./template-connections.tsx";
import styles from "./template-page.module.css";
import { categoryWords, templateQueries } from "./template-queries.ts";

// Loads the form fields.
const TemplateConnections = lazy(async () => ({
  default: (await import("./template-connections.tsx")).TemplateConnections,
}));

// Loads everything that parses a flow.
const TemplatePicture = lazy(() => import("./template-picture.tsx"));

/** A template: what it does, how it looks, and what to connect before it becomes a flow. */
export function TemplatePage({ id }: { readonly id: string }) {
  const found = useQuery(templateQueries.one(useApi(), id));
  if (found.isError) {
    return (
      <FailureNotice
        title="The template could not be loaded"
        error={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  }
  if (found.data === undefined) return <Skeleton height={320} />;
  return <OpenTemplate template={found.data} />;
}

function OpenTemplate({ template }: { readonly template: WholeTemplate }) {
  const router = useRouter();
  const api = useApi();
  const types = useQuery(flowQueries.nodeTypes(api)).data;
  const tables = useQuery(templateQueries.tables(api)).data;
  const [chosen, setChosen] = useState<Connections>({ credentials: {}, variables: {}, tablesLeftOut: [] });
  const isThere = new Set(tables?.items.map(({ name }) => name));
  const use = useChange({
    run: async (caller) => {
      const tables = template.tables.filter(({ name }) => !chosen.tablesLeftOut.includes(name));
      for (const table of await missingTables(caller, tables)) {
        await caller.call("createTable", { body: { name: table.name, columns: [...table.columns] } as never });
      }
      const body = connectTemplate(template.flow as Record<string, unknown>, chosen);
      const { freeFlowName } = await import("./free-name.ts");
      const name = await freeFlowName(caller, template.name);
      // The API checks it like any other flow.
      return await caller.call("createFlow", { body: { ...body, name } as never });
    },
    stale: ["flows", "tables"],
    onDone: (flow) => router.push(`/flows/${flow.id}`),
  });
  return (
    <div className={styles.page}>
      <PageHeader
        parent={{ label: "New flow", path: "/flows/new" }}
        title={template.name}
        facts={categoryWords[template.category]}
        actions={
          <GuardedButton
            scope="flows:write"
            loading={use.isPending || use.isSuccess}
            onClick={() => use.mutate(undefined)}
          >
            Use template
          </GuardedButton>
        }
      />
      {use.isError && (
        <p role="alert" className={styles.failure}>
          The flow could not be created. {explainFailure(use.error).why} {explainFailure(use.error).todo}
        </p>
      )}
      <div className={styles.columns}>
        <div className={styles.about}>
          <TemplateTiles template={template} types={types} />
          <p className={styles.text}>{template.description}</p>
          {template.text !== template.description && <p className={styles.text}>{template.text}</p>}
          <div className={styles.picture} role="img" aria-label={`The nodes of ${template.name}`} inert>
            <Suspense>{types && <TemplatePicture template={template.flow as never} types={types} />}</Suspense>
          </div>
        </div>
        <Suspense fallback={<Skeleton height={160} />}>
          <TemplateConnections template={template} chosen={chosen} onChange={setChosen} tablesThere={isThere} />
        </Suspense>
      </div>
    </div>
  );
}
