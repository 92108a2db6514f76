import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { JsonTree } from "#components/json/json-tree.tsx";
import type { Json } from "#lib/engine/json.ts";
import { isTemplate, nodesReadBy } from "#lib/expressions/expressions.ts";
import type { Evaluable, EvaluatedField } from "./expression-scope.ts";
import { useForm } from "./form-context.ts";
import styles from "./preview.module.css";

const pauseMs = 250;
const charactersMax = 300;
/** The service's limit, in characters. */
const evaluatedMax = 65_536;

interface PreviewProps {
  readonly text: string;
  readonly field: Exclude<EvaluatedField, "json">;
  /** The field's path: its problem is already shown. */
  readonly path?: string;
}

/** An expression's value and type over the available data, or why it has none. */
export function Preview({ text, field, path = "" }: PreviewProps) {
  const [settled] = useDebouncedValue(text, pauseMs);
  const isExpression = settled.trim() !== "" && (field !== "template" || isTemplate(settled));
  const given = useMemo(
    () => (isExpression ? { text: settled, field, nodeIds: nodesReadBy(settled, () => field !== "template") } : null),
    [settled, field, isExpression],
  );
  return <Evaluation evaluable={given} path={path} />;
}

interface JsonPreviewProps {
  readonly value: Json | undefined;
  readonly path?: string;
  /** The node type whose config it is, with the names of its fields that are programs. */
  readonly config?: { readonly type: string; readonly programs: ReadonlySet<string> } | undefined;
}

/** The same for JSON with expressions in it: what a run would make of it, in one request for all of them. */
export function JsonPreview({ value, path = "", config }: JsonPreviewProps) {
  const { evaluate } = useForm().scope;
  const [settled] = useDebouncedValue(value, pauseMs);
  const text = useMemo(() => (settled === undefined ? "" : JSON.stringify(settled)), [settled]);
  const given = useMemo(() => {
    const programs = [...(config?.programs ?? [])];
    const isExpression = isTemplate(text) || programs.some((name) => text.includes(`${JSON.stringify(name)}:`));
    if (!isExpression || text.length > evaluatedMax) return null;
    const nodeIds = nodesReadBy(JSON.parse(text), (name) => programs.includes(name));
    return { text, field: "json", type: config?.type, nodeIds } as const;
  }, [text, config]);
  if (evaluate === null) return null;
  if (text.length > evaluatedMax) return <p className={styles.preview}>Too long for a preview.</p>;
  return <Evaluation evaluable={given} path={path} />;
}

interface EvaluationProps {
  readonly evaluable: Evaluable | null;
  readonly path: string;
}

function Evaluation({ evaluable, path }: EvaluationProps) {
  const { scope, problems } = useForm();
  const { evaluate } = scope;
  // An earlier run's value for such a node does not predict the next one.
  const unknown = evaluable === null ? null : scope.unknown(evaluable);
  const { data } = useQuery({
    queryKey: ["evaluate", evaluable?.text, evaluable?.field, evaluable?.type, scope.dataId],
    queryFn: ({ signal }) => (evaluable === null ? null : (evaluate?.(evaluable, signal) ?? null)),
    enabled: evaluable !== null && evaluate !== null && unknown === null,
    staleTime: 30_000,
    gcTime: 60_000,
    retry: false,
    placeholderData: keepPreviousData,
  });
  if (unknown !== null) return problems.has(path) ? null : <FailedPreview why={unknown} />;
  if (evaluable === null || data === undefined || data === null) return null;
  if (data.ok) return <PreviewValue value={data.value} type={data.type} />;
  if (problems.has(path)) return null;
  const waiting = data.isWaiting ? data.message : data.position === null ? scope.unread(evaluable) : null;
  return waiting === null ? <FailedPreview why={data.message} /> : <p className={styles.preview}>{waiting}</p>;
}

function FailedPreview({ why }: { readonly why: string }) {
  return (
    <p className={styles.preview} data-failed>
      {why}
    </p>
  );
}

function PreviewValue({ value, type }: { readonly value: unknown; readonly type: string }) {
  const [isOpen, setOpen] = useState(false);
  const isBranch = typeof value === "object" && value !== null;
  return (
    <div className={styles.preview}>
      <button
        type="button"
        className={styles.value}
        disabled={!isBranch}
        aria-expanded={isBranch ? isOpen : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={styles.arrow} aria-hidden="true">
          =
        </span>
        <span className={styles.short}>{(JSON.stringify(value) ?? "undefined").slice(0, charactersMax)}</span>
        <span className={styles.type}>{Array.isArray(value) ? "array" : value === null ? "null" : type}</span>
      </button>
      {isOpen && isBranch && <JsonTree value={value} path="value" label="Expression value" />}
    </div>
  );
}
