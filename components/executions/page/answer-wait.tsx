"use client";
import { Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlayerPlay } from "@tabler/icons-react";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import { readObject } from "#components/executions/run-input.ts";
import { GuardedButton } from "#components/page/link-button.tsx";
import type { CallWait } from "#lib/contract/executions/waits.ts";

interface AnswerWaitProps {
  readonly runId: string;
  readonly node: Pick<CallWait, "nodeId" | "nodeName" | "iteration">;
}

/** Answers a node that is waiting for a call, so that the run continues. */
export function AnswerWait({ runId, node }: AnswerWaitProps) {
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <GuardedButton
        scope="executions:write"
        leftSection={<IconPlayerPlay size={16} aria-hidden="true" />}
        onClick={dialog.open}
      >
        Continue
      </GuardedButton>
      {opened && <AnswerDialog runId={runId} node={node} onClose={dialog.close} />}
    </>
  );
}

function AnswerDialog({ runId, node, onClose }: AnswerWaitProps & { readonly onClose: () => void }) {
  const { form, change, problem } = useApiForm({
    initialValues: { answer: "{}" },
    run: (api, { answer }) =>
      api.call("resumeNode", {
        params: { id: runId, nodeId: node.nodeId },
        query: { iteration: node.iteration ?? undefined },
        body: readObject(answer).data ?? {},
      }),
    stale: ["runs", "approvals"],
    done: `${node.nodeName} continues.`,
    onDone: onClose,
  });
  const unreadable = readObject(form.values.answer).problem;
  const send = { isPending: change.isPending, mutate: () => unreadable === null && change.mutate(undefined) };
  return (
    <FormDialog
      title={`Continue ${node.nodeName}`}
      submit="Submit answer"
      change={send}
      problem={problem && `The answer was not accepted. ${problem}`}
      onClose={onClose}
    >
      <Textarea
        data-autofocus
        label="Answer"
        description="A JSON object. The node returns it as output.body."
        {...form.getInputProps("answer")}
        error={unreadable}
        autosize
        minRows={4}
        maxRows={14}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--font-mono)", lineHeight: 1.6 } }}
      />
    </FormDialog>
  );
}
