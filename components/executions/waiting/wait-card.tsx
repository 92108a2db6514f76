import { Button, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCheck, IconLink, IconPlayerPlay } from "@tabler/icons-react";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import { readObject } from "#components/executions/run-input.ts";
import { useCopy } from "#components/page/copy-text.ts";
import { GuardedButton } from "#components/page/link-button.tsx";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { CallWait } from "#lib/contract/executions/waits.ts";
import styles from "./answer-form.module.css";
import { AnswerForm } from "./answer-form.tsx";

interface WaitCardProps {
  readonly runId: string;
  readonly wait: CallWait;
}

/** A wait of a run: its form, or who answered it and when. */
export default function WaitCard({ runId, wait }: WaitCardProps) {
  if (wait.state !== "open") return <AnsweredLine wait={wait} />;
  return (
    <div className={styles.wait}>
      {wait.form !== null ? (
        <AnswerForm runId={runId} wait={wait} form={wait.form} />
      ) : (
        <div className={styles.line}>
          <span>
            {wait.hasForm
              ? "The form is too large to be shown here. Open it by its link."
              : "The run continues when its URL is called, or when you answer here."}
          </span>
          {!wait.hasForm && <AnswerWait runId={runId} node={wait} />}
        </div>
      )}
      <p className={styles.line}>
        <span>
          {wait.hasForm ? "Asked" : "Started waiting"} <RelativeTime at={wait.since} />
          {wait.until !== null && (
            <>
              , expires <RelativeTime at={wait.until} />
            </>
          )}
        </span>
        {wait.url !== null && <CopyLink url={wait.url} isForm={wait.hasForm} />}
      </p>
    </div>
  );
}

function CopyLink({ url, isForm }: { readonly url: string; readonly isForm: boolean }) {
  const { isCopied, copy } = useCopy();
  const Icon = isCopied ? IconCheck : IconLink;
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      leftSection={<Icon size={14} aria-hidden="true" />}
      onClick={() => copy(url)}
      title="Anyone who has the link can answer, once"
    >
      {isCopied ? "Copied" : isForm ? "Copy form link" : "Copy link"}
    </Button>
  );
}

/** "Answered by Anna Keller 5 min ago"; nothing for a wait that ended without an answer. */
function AnsweredLine({ wait: { answeredAt, answeredBy, answeredByName } }: { readonly wait: CallWait }) {
  if (answeredAt === null) return <p className={styles.line}>Nobody answered in time.</p>;
  const who = answeredBy === null ? "through its link" : `by ${answeredByName ?? "a former member"}`;
  return (
    <p className={styles.line}>
      <IconCheck size={14} aria-hidden="true" />
      <span>
        Answered {who} <RelativeTime at={answeredAt} />
      </span>
    </p>
  );
}

interface AnswerWaitProps {
  readonly runId: string;
  readonly node: Pick<CallWait, "nodeId" | "nodeName" | "iteration">;
}

/** Answers a node that is waiting for a call, so that the run continues. */
function AnswerWait({ runId, node }: AnswerWaitProps) {
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
