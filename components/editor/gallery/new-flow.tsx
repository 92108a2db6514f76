"use client";
import { Button, FileButton } from "@mantine/core";
import { IconFileImport, IconPlus } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type DragEvent, useEffect, useRef } from "react";
import type { z } from "zod";
import { useAccess, useApi } from "#components/api/use-api.ts";
import { explainImport, isFlowText } from "#components/editor/imported/offer-import.ts";
import { EmptyNotice } from "#components/list/empty-notice.tsx";
import { LinkButton } from "#components/page/link-button.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import type { newFlow } from "#lib/contract/flows/flows.ts";
import styles from "./new-flow.module.css";
import { TemplateGallery } from "./template-gallery.tsx";

const empty = { trigger: { type: "webhook" }, nodes: [] } satisfies Partial<z.input<typeof newFlow>>;

/** Creates a flow: from scratch, from a template, or from a file. */
export function NewFlow() {
  const refusal = useAccess().refusal("flows:write", "create flows");
  if (refusal === null) return <FlowBeginnings />;
  return (
    <>
      <PageHeader parent={{ label: "Flows", path: "/flows" }} title="New flow" />
      <EmptyNotice title="You cannot create flows here." text={refusal}>
        <LinkButton href="/flows">Go to the flows</LinkButton>
      </EmptyNotice>
    </>
  );
}

function FlowBeginnings() {
  const api = useApi();
  const router = useRouter();
  const queries = useQueryClient();
  const open = async ({ id, report }: { readonly id: string; readonly report?: unknown }) => {
    await queries.invalidateQueries({ queryKey: ["flows"] });
    // The import's report is shown with the flow.
    router.push(report === undefined ? `/flows/${id}` : `/flows/${id}?report`);
  };
  // Known at once: a second click or paste may come before the first has drawn the buttons as busy.
  const isBegun = useRef(false);
  const begin = (start: () => void) => {
    if (isBegun.current) return;
    isBegun.current = true;
    start();
  };
  const onError = () => {
    isBegun.current = false;
  };
  const create = useMutation({
    onError,
    mutationFn: async () => {
      const { freeFlowName } = await import("./free-name.ts");
      return await api.call("createFlow", { body: { ...empty, name: await freeFlowName(api, "Untitled flow") } });
    },
    onSuccess: open,
  });
  const take = useMutation({
    onError,
    mutationFn: async (file: File) =>
      api.call("importFlow", { body: await (await import("./read-flow-file.ts")).readFlowFile(file) }),
    onSuccess: open,
  });
  const error = create.error ?? take.error;
  const given = useGivenFile((file) => begin(() => take.mutate(file)));
  return (
    <div className={styles.page} {...given}>
      <PageHeader
        parent={{ label: "Flows", path: "/flows" }}
        title="New flow"
        actions={
          <>
            <FileButton
              accept="application/json,.json,.yaml,.yml"
              onChange={(file) => file !== null && begin(() => take.mutate(file))}
            >
              {(props) => (
                <Button
                  {...props}
                  variant="default"
                  leftSection={<IconFileImport size={16} aria-hidden="true" />}
                  loading={take.isPending || take.isSuccess}
                >
                  Import a file
                </Button>
              )}
            </FileButton>
            <Button
              leftSection={<IconPlus size={16} aria-hidden="true" />}
              loading={create.isPending || create.isSuccess}
              onClick={() => begin(() => create.mutate())}
            >
              Start from scratch
            </Button>
          </>
        }
      />
      {error !== null && (
        <p role="alert" className={styles.failure}>
          The flow could not be created. {explainImport(error)}
        </p>
      )}
      <p className={styles.how}>Drop an exported flow or an n8n workflow here, or paste its text.</p>
      <TemplateGallery />
    </div>
  );
}

/** Accepts a file dropped on an element, or JSON or YAML pasted anywhere on the page except in a field. */
function useGivenFile(take: (file: File) => void) {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const paste = ({ target, clipboardData }: ClipboardEvent) => {
      if (target instanceof Element && target.closest("input, textarea, [contenteditable]") !== null) return;
      const [file] = clipboardData?.files ?? [];
      const text = clipboardData?.getData("text/plain").trim() ?? "";
      if (file !== undefined) latest.current(file);
      else if (text.startsWith("{") || isFlowText(text)) latest.current(new File([text], "The pasted text"));
    };
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, []);
  return {
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
    },
    onDrop: (event: DragEvent) => {
      const [file] = event.dataTransfer.files;
      if (file === undefined) return;
      event.preventDefault();
      take(file);
    },
  };
}
