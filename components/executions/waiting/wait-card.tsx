import { Button } from "@mantine/core";
import { IconCheck, IconLink } from "@tabler/icons-react";
import { AnswerWait } from "#components/executions/page/answer-wait.tsx";
import { useCopy } from "#components/page/copy-text.ts";
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
