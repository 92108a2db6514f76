import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { JsonTree } from "#components/json/json-tree.tsx";
import { isTemplate } from "#lib/expressions/expressions.ts";
import type { EvaluatedField } from "./expression-scope.ts";
import { useForm } from "./form-context.ts";
import styles from "./preview.module.css";

interface PreviewProps {
  readonly text: string;
  readonly field: EvaluatedField;
  /** The field's path: its problem is already shown. */
  readonly path?: string;
}

const pauseMs = 250;
const charactersMax = 300;

/** An expression's value and type over the available data, or why it has none. */
export function Preview({ text, field, path = "" }: PreviewProps) {
  const { scope, problems } = useForm();
  const [settled] = useDebouncedValue(text, pauseMs);
  const { evaluate } = scope;
  const isExpression = settled.trim() !== "" && (field !== "template" || isTemplate(settled));
  // An earlier run's value for such a node does not predict the next one.
  const unknown = isExpression ? scope.unknown(settled, field) : null;
  const { data } = useQuery({
    queryKey: ["evaluate", settled, field, scope.dataId],
    queryFn: ({ signal }) => evaluate?.(settled, field, signal) ?? null,
    enabled: isExpression && evaluate !== null && unknown === null,
    staleTime: 30_000,
    gcTime: 60_000,
    retry: false,
    placeholderData: keepPreviousData,
  });
  if (unknown !== null) return problems.has(path) ? null : <FailedPreview why={unknown} />;
  if (!isExpression || data === undefined || data === null) return null;
  if (data.ok) return <PreviewValue value={data.value} type={data.type} />;
  if (problems.has(path)) return null;
  const unread = data.position === null ? scope.unread(settled) : null;
  return unread === null ? <FailedPreview why={data.message} /> : <p className={styles.preview}>{unread}</p>;
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
