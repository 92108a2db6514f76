import { ActionIcon, Tooltip } from "@mantine/core";
import { IconPlus, IconSettings } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useDeferredValue, useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { addNodeAt } from "#components/editor/actions/add-node-at.ts";
import { draggedType } from "#components/editor/canvas/palette.tsx";
import { useSession } from "#components/editor/state/editor-context.ts";
import { Link } from "#components/page/link.tsx";
import { serviceQueries } from "#components/services/service-queries.ts";
import { ServiceTile } from "#components/services/service-tile.tsx";
import type { ShownService } from "#lib/contract/services.ts";
import { callsOperation } from "./operation-schema.ts";
import styles from "./service-palette.module.css";
import { type OfferedOperation, useRecent } from "./use-recent.ts";

const ImportDialog = lazy(async () => ({
  default: (await import("#components/services/import-dialog.tsx")).ImportDialog,
}));

/** Operations shown per service; search finds the others. */
const shownMax = 100;

/** The services' operations, recently used ones first: click one, or drag it onto the canvas. */
export function ServicePalette({ search }: { readonly search: string }) {
  const api = useApi();
  const session = useSession();
  const { recent, remember } = useRecent();
  const [isImporting, setImporting] = useState(false);
  const services = useQuery(serviceQueries.all(api)).data?.items ?? [];
  const deferredSearch = useDeferredValue(search.trim());
  const matching = useQuery({ ...serviceQueries.matching(api, deferredSearch), enabled: deferredSearch !== "" });
  const type = session.editor.types.find(({ configSchema }) => callsOperation(configSchema));
  if (type === undefined) return null;
  const offer = {
    services,
    type: type.type,
    add: (operation: OfferedOperation) => {
      remember(operation);
      addNodeAt(session, type, { start: startOf(operation) });
    },
    onDrag: remember,
  };
  const found = matching.data?.items ?? [];
  if (deferredSearch !== "") {
    return (
      <section aria-label="Operations">
        {found.length > 0 && <h2 className={styles.heading}>Operations</h2>}
        <Operations operations={found} {...offer} />
      </section>
    );
  }
  return (
    <>
      {recent.length > 0 && (
        <section aria-label="Recently used">
          <h2 className={styles.heading}>Recently used</h2>
          <Operations operations={recent} {...offer} />
        </section>
      )}
      <section aria-label="Services">
        <h2 className={styles.heading}>
          Services
          <span className={styles.tools}>
            <Tooltip label="Manage imported services">
              <ActionIcon
                component={Link}
                href="/services"
                variant="subtle"
                size={24}
                aria-label="Manage imported services"
              >
                <IconSettings size={14} />
              </ActionIcon>
            </Tooltip>
            <Tooltip label="Import an OpenAPI document">
              <ActionIcon
                variant="subtle"
                size={24}
                onClick={() => setImporting(true)}
                aria-label="Import an OpenAPI document"
              >
                <IconPlus size={14} />
              </ActionIcon>
            </Tooltip>
          </span>
        </h2>
        {services.map((service) => (
          <Service key={service.id} service={service} {...offer} />
        ))}
      </section>
      {isImporting && (
        <Suspense>
          <ImportDialog onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The initial config of a node that calls an operation. */
function startOf({ service, id, name }: OfferedOperation) {
  return { name, config: { service, operation: id } };
}

interface Offer {
  readonly services: readonly ShownService[];
  readonly type: string;
  readonly add: (operation: OfferedOperation) => void;
  readonly onDrag: (operation: OfferedOperation) => void;
}

function Service({ service, ...offer }: Offer & { readonly service: ShownService }) {
  const api = useApi();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery({ ...serviceQueries.one(api, service.id), enabled: isOpen });
  const operations = data?.operations ?? [];
  return (
    <>
      <button
        type="button"
        className={styles.row}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        title={service.description || service.name}
      >
        <ServiceTile service={service} />
        <span className={styles.name}>{service.name}</span>
      </button>
      {isOpen && (
        <div className={styles.inside}>
          <Operations operations={operations.slice(0, shownMax)} {...offer} isPlain />
          {operations.length > shownMax && (
            <p className={styles.muted}>{operations.length - shownMax} more: search for them.</p>
          )}
        </div>
      )}
    </>
  );
}

interface OperationsProps extends Offer {
  readonly operations: readonly OfferedOperation[];
  /** The service's tile is above. */
  readonly isPlain?: boolean;
}

function Operations({ operations, services, type, add, onDrag, isPlain = false }: OperationsProps) {
  return operations.map((operation) => {
    const service = services.find(({ id }) => id === operation.service);
    return (
      <button
        key={`${operation.service} ${operation.id}`}
        type="button"
        className={styles.row}
        draggable
        onDragStart={(event) => draggedType.write(event.dataTransfer, type, startOf(operation))}
        onDragEnd={(event) => event.dataTransfer.dropEffect === "copy" && onDrag(operation)}
        onClick={() => add(operation)}
        title={`${service?.name ?? operation.service}: ${operation.name}`}
      >
        {!isPlain && <ServiceTile service={service} />}
        <span className={styles.name}>{operation.name}</span>
      </button>
    );
  });
}
