"use client";
import { Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useState } from "react";
import { useChange } from "#components/api/use-api.ts";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { readObject } from "#components/executions/run-input.ts";
import { explainFailure } from "#components/page/failure-notice.tsx";
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
  const [text, setText] = useState("{}");
  const read = readObject(text);
  const answer = useChange({
    run: (api) =>
      api.call("resumeNode", {
        params: { id: runId, nodeId: node.nodeId },
        query: { iteration: node.iteration ?? undefined },
        body: read.data ?? {},
      }),
    stale: ["runs", "approvals"],
    done: `${node.nodeName} continues.`,
    onDone: onClose,
  });
  const send = { isPending: answer.isPending, mutate: () => read.problem === null && answer.mutate(undefined) };
  return (
    <FormDialog
      title={`Continue ${node.nodeName}`}
      submit="Submit answer"
      change={send}
      problem={answer.error && `The answer was not accepted. ${explainFailure(answer.error).why}`}
      onClose={onClose}
    >
      <Textarea
        data-autofocus
        label="Answer"
        description="A JSON object. The node returns it as output.body."
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={read.problem}
        autosize
        minRows={4}
        maxRows={14}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--font-mono)", lineHeight: 1.6 } }}
      />
    </FormDialog>
  );
}
