"use client";
import { Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useState } from "react";
import { useChange } from "#components/api/use-api.ts";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { readObject } from "#components/executions/input-dialog.tsx";
import { explainFailure } from "#components/page/failure-notice.tsx";
import { GuardedButton } from "#components/page/link-button.tsx";
import type { ShownNodeExecution } from "#lib/contract/executions/executions.ts";

interface AnswerWaitProps {
  readonly runId: string;
  readonly node: ShownNodeExecution;
}

/** Lets a node that waits for a call go on, with what it was waiting for. */
export function AnswerWait({ runId, node }: AnswerWaitProps) {
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <GuardedButton
        scope="executions:write"
        mt="md"
        leftSection={<IconPlayerPlay size={16} aria-hidden="true" />}
        onClick={dialog.open}
      >
        Let it go on
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
      api.call("resumeNode", { params: { id: runId, nodeId: node.nodeId }, query: {}, body: read.data ?? {} }),
    stale: ["runs"],
    done: `${node.nodeName} goes on.`,
    onDone: onClose,
  });
  const send = { isPending: answer.isPending, mutate: () => read.problem === null && answer.mutate(undefined) };
  return (
    <FormDialog
      title={`Let ${node.nodeName} go on`}
      submit="Go on"
      change={send}
      problem={answer.error && `The answer was not taken. ${explainFailure(answer.error).why}`}
      onClose={onClose}
    >
      <Textarea
        data-autofocus
        label="Answer"
        description="A JSON object; the node gives it as output.body."
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
