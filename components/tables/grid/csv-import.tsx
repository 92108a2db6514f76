"use client";

import { FileInput, NativeSelect } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useEffect, useRef, useState } from "react";
import { useApi, useChange } from "#components/api/use-api.ts";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { explainFailure } from "#components/page/failure-notice.tsx";
import { useLeaveWarning } from "#components/page/use-leave-warning.ts";
import styles from "#components/tables/column-fields.module.css";
import { rowsInWords, type ShownTable } from "#components/tables/table-queries.ts";
import { type CsvPart, csvParts, encodings, readText } from "#components/tables/text/csv-parts.ts";
import { showToast } from "#components/toast/toast.ts";
import { ApiError } from "#lib/contract/client.ts";

interface CsvImportProps {
  readonly table: ShownTable;
  readonly onClose: () => void;
  readonly onImported: () => void;
}

const fileBytesMax = 52_428_800;

/** Why an import failed or stopped early. */
class ImportStopped extends Error {}

/** Imports a file's rows in parts. Each part is inserted completely or not at all. */
export function CsvImport({ table, onClose, onImported }: CsvImportProps) {
  const api = useApi();
  const form = useForm({ initialValues: { file: null as File | null, key: "", encoding: "" } });
  const { file, key, encoding } = form.values;
  const [done, setDone] = useState(0);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const unique = table.columns.filter((column) => column.unique);
  const send = async ({ text }: CsvPart) => {
    const query = key === "" ? {} : { key };
    const answer = await fetch(api.url("importRows", { params: { id: table.id }, query }), {
      method: "POST",
      headers: { accept: "application/json", "content-type": "text/csv" },
      body: text,
    });
    if (answer.ok) return;
    const { error = {} } = await answer.json().catch(() => ({}));
    throw new ApiError(answer.status, error.code ?? "INTERNAL_ERROR", error.message ?? "", error.details ?? {}, null);
  };
  const take = useChange({
    run: async () => {
      if (file === null) throw new ImportStopped("Choose a file first.");
      if (file.size > fileBytesMax) throw new ImportStopped("The file has more than 50 MB: split it into several.");
      const text = await readText(file, encoding);
      if (text === null) {
        form.setFieldValue("encoding", encoding || encodings[0].value);
        throw new ImportStopped(`The file is not encoded as ${encoding || "UTF-8"}. Choose its encoding.`);
      }
      let [rows, isWhole] = [0, true];
      try {
        for (const part of csvParts(text)) {
          // Closing the dialog stops the import.
          isWhole = isOpen.current;
          if (!isWhole) break;
          await stopped(send(part), part, rows);
          rows += part.rows;
          setDone(rows);
        }
      } catch (error) {
        if (!isOpen.current) await showToast({ message: wordsOf(error as Error), tone: "failed" });
        throw error;
      } finally {
        if (rows > 0) onImported();
      }
      if (rows === 0) throw new ImportStopped("The file has no rows below its first line, which names the columns.");
      return { rows, isWhole };
    },
    stale: ["tables"],
    done: ({ rows, isWhole }) =>
      isWhole ? `${rowsInWords(rows)} imported.` : `The import was stopped after ${rowsInWords(rows)}.`,
    onDone: () => isOpen.current && onClose(),
  });
  useLeaveWarning(take.isPending);
  return (
    <FormDialog
      title="Import CSV"
      submit={take.isPending ? `${rowsInWords(done)} imported…` : "Import"}
      change={take}
      closesWhilePending
      problem={take.error === null ? null : wordsOf(take.error)}
      onClose={onClose}
    >
      <p className={styles.hint}>
        The first line names columns: {table.columns.map(({ name }) => name).join(", ")}. Empty fields become cells
        without a value. An import cannot be undone.
      </p>
      <FileInput
        label="File"
        placeholder="Choose a file"
        accept=".csv,text/csv"
        {...form.getInputProps("file")}
        onChange={(chosen) => form.setValues({ file: chosen, encoding: "" })}
        data-autofocus
      />
      {encoding !== "" && <NativeSelect label="Encoding" data={encodings} {...form.getInputProps("encoding")} />}
      {unique.length > 0 && (
        <NativeSelect
          label="Existing rows"
          description="A row with the same value in a unique column can be updated instead of rejected."
          data={[
            { value: "", label: "Reject" },
            ...unique.map(({ name }) => ({ value: name, label: `Update by ${name}` })),
          ]}
          {...form.getInputProps("key")}
        />
      )}
    </FormDialog>
  );
}

/** Says where in the file the import stopped, and how much was imported before. */
async function stopped(sending: Promise<void>, { lines }: CsvPart, before: number): Promise<void> {
  try {
    await sending;
  } catch (error) {
    const reason = atLine(error, lines) ?? whyNot(error);
    throw new ImportStopped(before === 0 ? reason : `${reason} The ${rowsInWords(before)} before it were imported.`);
  }
}

function wordsOf(error: Error): string {
  if (error instanceof ImportStopped) return error.message;
  if (error.name === "CsvError") return `The file is not CSV: ${error.message}.`;
  return whyNot(error);
}

function whyNot(error: unknown): string {
  const { why, todo } = explainFailure(error);
  return `${why} ${todo}`.trim();
}

/** The first line that was refused, with the reason: the API says `line 12.orders`. */
function atLine(error: unknown, lines: CsvPart["lines"]): string | null {
  if (!(error instanceof ApiError)) return null;
  for (const [path, message] of Object.entries(error.details)) {
    const found = /^line (\d+)(?:\.([\s\S]+))?$/.exec(path);
    if (found === null) continue;
    const line = Number(found[1]);
    const column = found[2] === undefined ? "" : ` ${found[2]}:`;
    return `Line ${lines.get(line) ?? line}:${column} ${String(message)}.`;
  }
  return null;
}
