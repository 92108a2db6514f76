"use client";

import { useQuery } from "@tanstack/react-query";
import { useApi, useChange } from "#components/api/use-api.ts";
import { FlowUses } from "#components/flow-uses/flow-uses.tsx";
import listStyles from "#components/list/data-table.module.css";
import type { Column } from "#components/list/data-table.tsx";
import { ListPage } from "#components/list/list-page.tsx";
import { lazyPart } from "#components/page/lazy-part.tsx";
import { GuardedButton } from "#components/page/link-button.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { ServiceUse } from "#lib/contract/service-imports.ts";
import type { ShownService } from "#lib/contract/services.ts";
import { ServiceActions } from "./service-actions.tsx";
import styles from "./service-list.module.css";
import { serviceQueries } from "./service-queries.ts";
import { ServiceTile } from "./service-tile.tsx";

const ImportDialog = lazyPart(async () => ({ default: (await import("./import-dialog.tsx")).ImportDialog }));

const namesOf = (nodes: ServiceUse["nodes"]) => nodes.map(({ name }) => name).join(", ");

function ServiceUses({ id }: { readonly id: string }) {
  const uses = useQuery({
    ...serviceQueries.uses(useApi(), id),
    select: (found) =>
      found.map(({ flowId, flowName, nodes, draftNodes }) => ({
        ...{ flowId, flowName, live: namesOf(nodes) },
        ...(draftNodes && { draft: namesOf(draftNodes) }),
      })),
  });
  return <FlowUses uses={uses} />;
}

const columns: readonly Column<ShownService>[] = [
  {
    head: "Name",
    kind: "lead",
    width: 160,
    cell: (service) => (
      <span className={styles.name}>
        <ServiceTile service={service} />
        <span>
          <strong>{service.name}</strong>
          {service.description !== "" && <span className={listStyles.below}>{service.description}</span>}
        </span>
      </span>
    ),
  },
  {
    head: "Operations",
    kind: "number",
    label: "Operations",
    width: 32,
    cell: ({ operationCount }) => operationCount.toLocaleString("en"),
  },
  {
    head: "Imported from",
    kind: "muted",
    label: "Imported from",
    width: 180,
    cell: ({ sourceUrl }) => (sourceUrl === null ? "a document" : <span className={styles.address}>{sourceUrl}</span>),
  },
  { head: "Used in", label: "Used in", width: 110, cell: ({ id }) => <ServiceUses id={id} /> },
  {
    head: "Changed",
    kind: "muted",
    label: "Changed",
    cell: ({ updatedAt }) => updatedAt !== null && <RelativeTime at={updatedAt} />,
  },
  { head: "Actions", kind: "actions", width: 24, cell: (service) => <ServiceActions service={service} /> },
];

function ImportExample() {
  const make = useChange({
    run: (api) => api.call("importService", { body: { document: exampleDocument } }),
    stale: ["services"],
    done: ({ name }) => `${name} was imported. Its operations are in the editor's palette.`,
    failed: "The example was not imported.",
  });
  return (
    <GuardedButton
      scope="flows:write"
      variant="default"
      loading={make.isPending}
      onClick={() => make.mutate(undefined)}
    >
      Try an example
    </GuardedButton>
  );
}

/** The page of a workspace's imported services. */
export function ServiceList() {
  const { read } = useUrlState();
  return (
    <ListPage
      title="Services"
      facts="APIs imported from OpenAPI documents. Their operations are in the editor's palette, beside those of the built-in services."
      query={useQuery(serviceQueries.imported(useApi(), read("page"), read("search")))}
      columns={columns}
      search="services"
      failure="The services could not be loaded"
      empty={{
        title: "Any API with an OpenAPI document becomes a service.",
        text: "Import the document, from a file or a URL: each operation becomes a node with a form of its own.",
        example: <ImportExample />,
      }}
      make={{
        label: "Import a document",
        scope: "flows:write",
        form: (onClose) => <ImportDialog onClose={onClose} />,
      }}
    />
  );
}

/** A small public API to try an import with. */
const exampleDocument = {
  openapi: "3.1.0",
  info: { title: "Exchange rates", version: "1", description: "Reference rates of the European Central Bank." },
  servers: [{ url: "https://api.frankfurter.dev/v1" }],
  paths: {
    "/latest": {
      get: {
        operationId: "latestRates",
        summary: "Get the latest rates",
        parameters: [
          { name: "base", in: "query", description: "The currency to convert from: EUR", schema: { type: "string" } },
          {
            ...{ name: "symbols", in: "query", style: "form", explode: false },
            description: "Currencies to convert to; all when empty",
            schema: { type: "array", items: { type: "string" } },
          },
        ],
        responses: { "200": { description: "The rates" } },
      },
    },
    "/currencies": {
      get: {
        operationId: "currencies",
        summary: "List the currencies",
        responses: { "200": { description: "Their names" } },
      },
    },
  },
};
