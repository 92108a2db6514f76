import { Button, Group, Modal, NativeSelect, Progress, Skeleton } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useAccess } from "#components/api/use-api.ts";
import { useReturnedFocus } from "#components/dialog/dialog.tsx";
import { useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import { periods } from "#components/executions/list/run-filter.ts";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { shownDefinition } from "#components/tests/test-runs.ts";
import type { ShownBacktest, Verdict } from "#lib/contract/flows/backtests.ts";
import { backtestQueries } from "./backtest-queries.ts";
import { BacktestRuns } from "./backtest-runs.tsx";
import styles from "./backtests.module.css";
import { ComparedRun } from "./compared-run.tsx";

/** How many of the latest runs to replay, up to the API's limit. */
const counts = [100, 250, 500, 1_000] as const;
const count = new Intl.NumberFormat("en");
const statuses = [
  { value: "", label: "Completed and failed" },
  { value: "failed", label: "Failed" },
  { value: "completed", label: "Completed" },
] as const;
const times = [{ value: "", label: "Any time" }, ...periods.map(({ value, label }) => ({ value, label }))];

type Status = (typeof statuses)[number]["value"];

interface RunChoice {
  readonly status: Status;
  /** A period, or empty for all runs. */
  readonly since: string;
  readonly last: number;
}

/** Backtests the canvas's flow against past runs. Sends nothing and stores no runs. */
export function BacktestDialog({ onClose }: { readonly onClose: () => void }) {
  useReturnedFocus();
  const { editor } = useSession();
  const refusal = useAccess().refusal("tests:write", "run backtests");
  const flowStatus = useEditorState((state) => state.status);
  const [wanted, setWanted] = useState<RunChoice>({ status: "", since: "", last: counts[0] });
  // Compares the flow that was on the canvas when the backtest started.
  const [definition] = useState(() => shownDefinition(editor));
  const changes = flowStatus === "draft" ? "this draft" : "these changes";
  return (
    <Modal opened onClose={onClose} title={`What would ${changes} have done to the last runs?`} size={1160}>
      {refusal === null ? (
        <div className={styles.stack}>
          <WantedRuns choice={wanted} onChange={setWanted} />
          <Backtest key={JSON.stringify(wanted)} choice={wanted} definition={definition} onClose={onClose} />
        </div>
      ) : (
        <p className={styles.note}>{refusal}</p>
      )}
    </Modal>
  );
}

interface WantedRunsProps {
  readonly choice: RunChoice;
  readonly onChange: (wanted: RunChoice) => void;
}

/** Selects which of the latest runs to replay; a new selection restarts the backtest. */
function WantedRuns({ choice, onChange }: WantedRunsProps) {
  return (
    <Group gap="sm">
      <NativeSelect
        label="Runs"
        value={choice.status}
        data={[...statuses]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...choice, status: statuses.find((status) => status.value === value)?.value ?? "" })
        }
      />
      <NativeSelect
        label="Started"
        value={choice.since}
        data={times}
        onChange={({ currentTarget: { value } }) => onChange({ ...choice, since: value })}
      />
      <NativeSelect
        label="How many"
        value={choice.last}
        data={counts.map((last) => ({ value: String(last), label: `The last ${count.format(last)}` }))}
        onChange={({ currentTarget: { value } }) => onChange({ ...choice, last: Number(value) })}
      />
    </Group>
  );
}

interface BacktestProps {
  readonly choice: RunChoice;
  readonly definition: ReturnType<typeof shownDefinition>;
  readonly onClose: () => void;
}

function Backtest({ choice: { status, since, last }, definition, onClose }: BacktestProps) {
  const { api, editor } = useSession();
  const start = useMutation({
    mutationFn: () => {
      const period = periods.find(({ value }) => value === since);
      const chosen = {
        ...(status !== "" && { status }),
        ...(period !== undefined && { since: new Date(Date.now() - period.ms).toISOString() }),
      };
      return api.call("createBacktest", {
        params: { id: editor.flowId },
        body: { definition, last, ...chosen },
      });
    },
  });
  const { mutate } = start;
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    mutate();
  }, [mutate]);
  if (start.isError) {
    return <FailureNotice title="The comparison could not be started" error={start.error} onRetry={() => mutate()} />;
  }
  if (start.data === undefined) return <Loading />;
  const isChosen = status !== "" || since !== "";
  return <Found backtestId={start.data.backtestId} definition={definition} isChosen={isChosen} onClose={onClose} />;
}

function Loading() {
  return (
    <div aria-busy="true" className={styles.stack}>
      <Skeleton height={32} />
      <Skeleton height={240} />
    </div>
  );
}

interface FoundProps {
  readonly backtestId: string;
  readonly definition: ReturnType<typeof shownDefinition>;
  /** Whether the backtest covers a selection of runs only. */
  readonly isChosen: boolean;
  readonly onClose: () => void;
}

function Found({ backtestId, definition, isChosen, onClose }: FoundProps) {
  const { api, editor } = useSession();
  const [page, setPage] = useState(1);
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const ids = { flowId: editor.flowId, backtestId };
  const read = useQuery(backtestQueries.one(api, ids, page, verdict));
  useCancelOnLeave(ids, read.data?.status === "running");
  if (read.data === undefined) {
    if (!read.isError) return <Loading />;
    return (
      <FailureNotice title="The results could not be loaded" error={read.error} onRetry={() => void read.refetch()} />
    );
  }
  const { runs, total, status } = read.data;
  if (total === 0) {
    return (
      <p className={styles.note}>
        {isChosen
          ? "No matching runs. Choose other runs, or a longer time."
          : "There is no run to compare with yet. Only runs of the whole published flow are compared: run the flow, or call its trigger URL, then try again."}
      </p>
    );
  }
  const shown = chosen ?? runs.find((run) => run.verdict !== "same")?.executionId ?? runs[0]?.executionId ?? null;
  const filter = (next: Verdict | null) => {
    setVerdict(next);
    setPage(1);
    setChosen(null);
  };
  return (
    <div className={styles.stack}>
      <Progressing backtest={read.data} backtestKey={ids} />
      <div className={styles.found}>
        <BacktestRuns
          found={read.data}
          verdict={verdict}
          onFilter={filter}
          shown={shown}
          onShow={setChosen}
          onPage={setPage}
        />
        {shown === null ? (
          <p className={styles.note}>
            {status === "running" ? "The first runs are being compared." : "No run has this outcome."}
          </p>
        ) : (
          <ComparedRun key={shown} backtestKey={ids} executionId={shown} definition={definition} />
        )}
      </div>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </div>
  );
}

/** An abandoned backtest would hold one of the workspace's few slots. */
function useCancelOnLeave({ flowId, backtestId }: ProgressingProps["backtestKey"], isRunning: boolean): void {
  const { api } = useSession();
  const wasRunning = useRef(isRunning);
  useEffect(() => {
    wasRunning.current = isRunning;
  }, [isRunning]);
  useEffect(
    () => () => {
      // It may have ended already, and the dialog is closed: ignore failures.
      if (wasRunning.current) {
        api.call("cancelBacktest", { params: { id: flowId, backtestId }, keepalive: true }).catch(() => null);
      }
    },
    [api, flowId, backtestId],
  );
}

interface ProgressingProps {
  readonly backtest: Pick<ShownBacktest, "status" | "done" | "total" | "error">;
  readonly backtestKey: { readonly flowId: string; readonly backtestId: string };
}

/** The progress, and the cancel button. */
function Progressing({ backtest: { status, done, total, error }, backtestKey }: ProgressingProps) {
  const { api } = useSession();
  const cancel = useMutation({
    mutationFn: () =>
      api.call("cancelBacktest", { params: { id: backtestKey.flowId, backtestId: backtestKey.backtestId } }),
  });
  const words = {
    running: `${done} of ${total} runs compared`,
    completed: total === 1 ? "1 run compared" : `${total} runs compared`,
    cancelled: `Cancelled after ${done} of ${total} runs`,
    failed: `Ended after ${done} of ${total} runs${error === null ? "" : `: ${error}`}`,
  }[status];
  return (
    <div className={styles.progress}>
      <output>{words}</output>
      {status === "running" && (
        <>
          <Progress value={(100 * done) / total} aria-label="Runs compared" className={styles.bar ?? ""} />
          <Button size="compact-sm" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel
          </Button>
        </>
      )}
    </div>
  );
}
