import type { Metadata } from "next";
import { WorkspacePage } from "#components/settings/workspace/workspace-page.tsx";

export const metadata: Metadata = { title: "Workspace" };

export default function WorkspaceSettingsPage() {
  return <WorkspacePage />;
}
