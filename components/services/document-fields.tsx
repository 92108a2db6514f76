import { FileInput, TextInput } from "@mantine/core";
import type { FieldProblems } from "#components/dialog/field-problems.ts";

/** A document to import: a file goes before an address. */
export interface GivenDocument {
  readonly file: File | null;
  readonly url: string;
}

interface DocumentFieldsProps {
  readonly given: GivenDocument;
  readonly onChange: (given: GivenDocument) => void;
  readonly problems: FieldProblems["fields"];
}

/** Asks for an OpenAPI document: a file, or its address. */
export function DocumentFields({ given: { file, url }, onChange, problems }: DocumentFieldsProps) {
  return (
    <>
      <FileInput
        label="File"
        description="OpenAPI 3.0 or 3.1, in JSON or YAML, up to 5 MiB."
        placeholder="Choose a file"
        accept=".json,.yaml,.yml,application/json,application/yaml"
        value={file}
        onChange={(chosen) => onChange({ file: chosen, url })}
        error={file === null ? undefined : problems.document}
        clearable
      />
      <TextInput
        label="Or its address"
        placeholder="https://api.example.com/openapi.json"
        value={url}
        disabled={file !== null}
        onChange={(event) => onChange({ file, url: event.currentTarget.value })}
        error={problems.url ?? (file === null ? problems.document : undefined)}
        spellCheck={false}
        autoComplete="off"
      />
    </>
  );
}

/** As the API takes it. */
export async function sourceOf({ file, url }: GivenDocument): Promise<{ document: string } | { url: string }> {
  return file === null ? { url: url.trim() } : { document: await file.text() };
}
