"use client";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { NodeTile } from "#components/canvas/node-tile.tsx";
import { flowQueries } from "#components/flows/flow-queries.ts";
import { Link } from "#components/page/link.tsx";
import { ServiceTile } from "#components/services/service-tile.tsx";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import type { ListedTemplate } from "#lib/contract/templates.ts";
import styles from "./template-gallery.module.css";

const tilesMax = 5;
/** Node types that describe what a flow works with, besides the services it calls. */
const telling = [
  "ai",
  "agent",
  "send-mail",
  "table",
  "sql",
  "file",
  "convert",
  "http-request",
  "wait",
  "wait-for",
  "loop",
];

/** Templates of one subject. */
export function TemplateCards({ templates }: { readonly templates: readonly ListedTemplate[] }) {
  const types = useQuery(flowQueries.nodeTypes(useApi())).data;
  return (
    <ul className={styles.cards}>
      {templates.map((template) => (
        <li key={template.id}>
          <Link href={`/flows/new/${template.id}`} className={styles.card}>
            <TemplateTiles template={template} types={types} />
            <span className={styles.name}>{template.name}</span>
            <span className={styles.what}>{template.description}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface TemplateTilesProps {
  readonly template: ListedTemplate;
  readonly types: readonly NodeType[] | undefined;
}

/** What a template works with, as tiles with names for screen readers. */
export function TemplateTiles({ template: { services, nodeTypes }, types = [] }: TemplateTilesProps) {
  const shown = telling.flatMap((type) =>
    nodeTypes.includes(type) ? types.filter((nodeType) => nodeType.type === type) : [],
  );
  const nodes = (
    shown.length === 0 && services.length === 0 ? types.filter(({ type }) => nodeTypes.includes(type)) : shown
  ).slice(0, Math.max(0, tilesMax - services.length));
  const names = [...services, ...nodes].map(({ name }) => name).join(", ");
  return (
    <span className={styles.tiles} role="img" aria-label={names} title={names}>
      {services.map((service) => (
        <ServiceTile key={service.id} service={service} />
      ))}
      {nodes.map((type) => (
        <NodeTile key={type.type} icon={type.iconPath} family={type.family} small />
      ))}
    </span>
  );
}
