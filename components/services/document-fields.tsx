import { FileInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";

/** The document to import: a file takes precedence over a URL. */
export interface GivenDocument {
  readonly file: File | null;
  readonly url: string;
}

interface DocumentFieldsProps {
  readonly inputOf: UseFormReturnType<GivenDocument>["getInputProps"];
  readonly hasFile: boolean;
}

/** Asks for an OpenAPI document: a file or a URL. */
export function DocumentFields({ inputOf, hasFile }: DocumentFieldsProps) {
  return (
    <>
      <FileInput
        label="File"
        description="OpenAPI 3.0 or 3.1, in JSON or YAML, up to 5 MiB."
        placeholder="Choose a file"
        accept=".json,.yaml,.yml,application/json,application/yaml"
        {...inputOf("file")}
        clearable
      />
      <TextInput
        label="Or its URL"
        placeholder="https://api.example.com/openapi.json"
        {...inputOf("url")}
        disabled={hasFile}
        spellCheck={false}
        autoComplete="off"
      />
    </>
  );
}

/** Where the form shows the document's problems. */
export function placeOfDocument(field: string, { file }: GivenDocument): string | null {
  return field !== "document" ? null : file === null ? "url" : "file";
}

/** As the API expects it. */
export async function sourceOf({ file, url }: GivenDocument): Promise<{ document: string } | { url: string }> {
  return file === null ? { url: url.trim() } : { document: await file.text() };
}
