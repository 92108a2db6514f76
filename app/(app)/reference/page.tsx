import type { Metadata } from "next";
import { baseOf } from "#components/reference/read-operations.ts";
import { ReferenceStart } from "#components/reference/reference-start.tsx";
import { openApiDocument } from "#lib/http/openapi/document.ts";

export const metadata: Metadata = { title: "API reference" };

export default function ReferencePage() {
  return <ReferenceStart base={baseOf(openApiDocument())} />;
}
