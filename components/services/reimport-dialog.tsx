import { Button, Group, Text } from "@mantine/core";
import { IconEqual, IconMinus, IconPencil, IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { type Api, useChange } from "#components/api/use-api.ts";
import { Dialog } from "#components/dialog/dialog.tsx";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import { sayFailure } from "#components/page/failure-notice.tsx";
import { Link } from "#components/page/link.tsx";
import type { Reimported } from "#lib/contract/service-imports.ts";
import type { ShownService } from "#lib/contract/services.ts";
import { DocumentFields, type GivenDocument, placeOfDocument, sourceOf } from "./document-fields.tsx";
import styles from "./import-changes.module.css";
import { operationsInWords } from "./service-queries.ts";

interface ReimportDialogProps {
  readonly service: ShownService;
  readonly onClose: () => void;
}

/** Reimports a service's document after showing what that changes. */
export function ReimportDialog({ service, onClose }: ReimportDialogProps) {
  const { id, name, sourceUrl } = service;
  const put = async (api: Api, given: GivenDocument, dryRun: boolean) =>
    await api.call("updateService", { params: { id }, query: { dryRun }, body: await sourceOf(given) });
  const {
    form,
    change: preview,
    problem,
  } = useApiForm({
    initialValues: { file: null as File | null, url: sourceUrl ?? "" },
    placeOf: placeOfDocument,
    run: (api, given) => put(api, given, true),
    stale: [],
  });
  const apply = useChange({
    run: (api, _: undefined) => put(api, form.getValues(), false),
    stale: ["services"],
    done: ({ operationCount }) => `${name} was reimported and has ${operationsInWords(operationCount)}.`,
    onDone: onClose,
  });
  if (preview.data === undefined) {
    return (
      <FormDialog title={`Reimport ${name}`} submit="Show changes" change={preview} problem={problem} onClose={onClose}>
        <Text size="sm">You will see what changes before anything is imported.</Text>
        <DocumentFields inputOf={form.getInputProps} hasFile={form.values.file !== null} />
      </FormDialog>
    );
  }
  return (
    <Dialog opened onClose={onClose} title={`Reimport ${name}`} size={520}>
      <ImportChanges before={service} after={preview.data} />
      {apply.error !== null && (
        <Text size="sm" c="var(--status-failed)" role="alert" mt="sm">
          The document was not imported. {sayFailure(apply.error)}
        </Text>
      )}
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={() => preview.reset()}>
          Back
        </Button>
        <Button data-autofocus loading={apply.isPending} onClick={() => apply.mutate(undefined)}>
          Import
        </Button>
      </Group>
    </Dialog>
  );
}

interface ImportChangesProps {
  readonly before: ShownService;
  readonly after: Reimported;
}

/** What reimporting a document would change, and the affected flows and nodes. */
function ImportChanges({ before, after: { changes, flows, skipped, baseUrl } }: ImportChangesProps) {
  const { added, removed, changed } = changes;
  const isSame = added.length + removed.length + changed.length === 0;
  return (
    <div className={styles.changes}>
      {isSame && (
        <p className={styles.same}>
          <IconEqual size={16} aria-hidden="true" /> No operation changes.
        </p>
      )}
      <Operations title="New" icon={<IconPlus size={14} />} kind="added" ids={added} />
      <Operations title="Removed" icon={<IconMinus size={14} />} kind="removed" ids={removed} />
      <Operations title="Changed" icon={<IconPencil size={14} />} kind="changed" ids={changed} />
      {baseUrl !== before.baseUrl && (
        <section aria-label="Base URL">
          <h3 className={styles.heading}>Base URL</h3>
          <p className={styles.note}>
            <code>{before.baseUrl ?? "none"}</code> → <code>{baseUrl ?? "none"}</code>
            {baseUrl === null && ". Nodes that set no base URL will fail."}
          </p>
        </section>
      )}
      {!isSame && (
        <section aria-label="Flows to check">
          <h3 className={styles.heading}>Flows to check</h3>
          {flows.length === 0 ? (
            <p className={styles.note}>No flow calls a removed or changed operation.</p>
          ) : (
            <ul className={styles.list}>
              {flows.map(({ flowId, flowName, nodes }) => (
                <li key={flowId}>
                  <Link href={`/flows/${flowId}`} target="_blank" className={styles.flow}>
                    {flowName}
                  </Link>
                  <span className={styles.note}>{nodesInWords(nodes)}</span>
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
      {skipped.length > 0 && (
        <p className={styles.note}>
          {skipped.length === 1 ? "One operation cannot" : `${skipped.length} operations cannot`} be called:{" "}
          {skipped
            .slice(0, 3)
            .map(({ operation, reason }) => `${operation} (${reason})`)
            .join(", ")}
          {skipped.length > 3 && ", …"}
        </p>
      )}
    </div>
  );
}

interface OperationsProps {
  readonly title: string;
  readonly icon: ReactNode;
  readonly kind: "added" | "removed" | "changed";
  readonly ids: readonly string[];
}

function Operations({ title, icon, kind, ids }: OperationsProps) {
  if (ids.length === 0) return null;
  return (
    <section aria-label={`${title} operations`}>
      <h3 className={styles.heading} data-kind={kind}>
        {icon} {title}: {ids.length}
      </h3>
      <ul className={styles.list}>
        {ids.slice(0, shownMax).map((id) => (
          <li key={id} className="mono">
            {id}
          </li>
        ))}
        {ids.length > shownMax && <li className={styles.note}>and {ids.length - shownMax} more</li>}
      </ul>
    </section>
  );
}

/** The maximum shown of each kind, so that the confirmation stays near. */
const shownMax = 10;

function nodesInWords(nodes: Reimported["flows"][number]["nodes"]): string {
  const names = nodes
    .slice(0, 5)
    .map(({ operation, change }) => `${operation} ${change === "removed" ? "is removed" : "changes"}`);
  const rest = nodes.length > 5 ? [`${nodes.length - 5} more`] : [];
  return [...new Set([...names, ...rest])].join(", ");
}
