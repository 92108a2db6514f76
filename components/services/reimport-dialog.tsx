import { Button, Group, Text } from "@mantine/core";
import { type Api, useChange } from "#components/api/use-api.ts";
import { Dialog } from "#components/dialog/dialog.tsx";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import { explainFailure } from "#components/page/failure-notice.tsx";
import type { ShownService } from "#lib/contract/services.ts";
import { DocumentFields, type GivenDocument, placeOfDocument, sourceOf } from "./document-fields.tsx";
import { ImportChanges } from "./import-changes.tsx";
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
      <FormDialog
        title={`Re-import ${name}`}
        submit="Show changes"
        change={preview}
        problem={problem}
        onClose={onClose}
      >
        <Text size="sm">You will see what changes before anything is imported.</Text>
        <DocumentFields inputOf={form.getInputProps} hasFile={form.values.file !== null} />
      </FormDialog>
    );
  }
  return (
    <Dialog opened onClose={onClose} title={`Re-import ${name}`} size={520}>
      <ImportChanges before={service} after={preview.data} />
      {apply.error !== null && (
        <Text size="sm" c="var(--status-failed)" role="alert" mt="sm">
          The document was not imported. {explainFailure(apply.error).why}
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
