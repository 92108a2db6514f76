import type { Metadata } from "next";
import { TemplatePage } from "#components/editor/gallery/template-page.tsx";

export const metadata: Metadata = { title: "Template" };

interface Props {
  readonly params: Promise<{ readonly template: string }>;
}

export default async function TemplateRoute({ params }: Props) {
  return <TemplatePage id={(await params).template} />;
}
