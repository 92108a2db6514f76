"use client";

import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { lazy, Suspense, useState } from "react";
import { type Api, useApi, useChange } from "#components/api/use-api.ts";
import { flowQueries } from "#components/flows/flow-queries.ts";
import { FailureNotice, sayFailure } from "#components/page/failure-notice.tsx";
import { GuardedButton } from "#components/page/link-button.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import type { WholeTemplate } from "#lib/contract/templates.ts";
import { isJsonObject } from "#lib/engine/json.ts";
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
  if (found.isError && found.data === undefined) {
    return (
      <FailureNotice
        title="The template could not be loaded"
        error={found.error}
        onRetry={() => void found.refetch()}
        list={{ label: "Go to the templates", path: "/flows/new" }}
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
          The flow could not be created. {sayFailure(use.error)}
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

// Adapts a template to a workspace: its credentials by name, its variables with the entered values.

interface Chosen {
  /** The workspace's credential for the template's name; a missing one keeps that name. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string | number>>;
}

/** The body of `POST /flows`. A config names a credential only in `credential`, at any depth. */
export function connectTemplate(flow: Readonly<Record<string, unknown>>, { credentials, variables }: Chosen) {
  const connected = {
    ...flow,
    trigger: renamed(flow.trigger, credentials),
    nodes: renamed(flow.nodes, credentials),
    tests: renamed(flow.tests, credentials),
  };
  return { ...connected, variables: { ...(isJsonObject(flow.variables) ? flow.variables : {}), ...variables } };
}

function renamed(value: unknown, names: Chosen["credentials"]): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isName = key === "credential" && typeof inner === "string" && Object.hasOwn(names, inner);
      return [key, isName ? names[inner] : renamed(inner, names)];
    }),
  );
}

const pageSize = 100;

/**
 * Which of these tables the workspace lacks. Looked up when a template is used, because the page may not know: an earlier
 * attempt may have created tables and then failed, and the page lists only the first hundred.
 */
export async function missingTables<Table extends { readonly name: string }>(
  api: Pick<Api, "callList">,
  tables: readonly Table[],
): Promise<Table[]> {
  let missing = [...tables];
  for (let page = 1; missing.length > 0; page += 1) {
    const { items, pagination } = await api.callList("listTables", { query: { page, limit: pageSize } });
    const there = new Set(items.map(({ name }) => name));
    missing = missing.filter(({ name }) => !there.has(name));
    if (!pagination.hasNext) break;
  }
  return missing;
}
