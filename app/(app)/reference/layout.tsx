import type { ReactNode } from "react";
import { operationsOf } from "#components/reference/read-operations.ts";
import { ReferenceFrame } from "#components/reference/reference-frame.tsx";
import { openApiDocument } from "#lib/http/openapi/document.ts";

export default function ReferenceLayout({ children }: { readonly children: ReactNode }) {
  const links = operationsOf(openApiDocument()).map(({ id, method, path, summary, tag }) => ({
    id,
    method,
    path,
    summary,
    tag,
  }));
  return <ReferenceFrame links={links}>{children}</ReferenceFrame>;
}
