import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { OperationPage } from "#components/reference/operation-page.tsx";
import { operationsOf } from "#components/reference/read-operations.ts";
import { openApiDocument } from "#lib/http/openapi/document.ts";

interface PageProps {
  readonly params: Promise<{ readonly operation: string }>;
}

async function find({ params }: PageProps) {
  const { operation } = await params;
  return operationsOf(openApiDocument()).find(({ id }) => id === operation);
}

export async function generateMetadata(props: PageProps): Promise<Metadata> {
  return { title: (await find(props))?.summary ?? "API reference" };
}

export default async function Page(props: PageProps) {
  const operation = await find(props);
  if (operation === undefined) notFound();
  return <OperationPage document={openApiDocument()} operation={operation} />;
}
