import type { ReactNode } from "react";
import { SettingsFrame } from "#components/settings/settings-frame.tsx";

export default function SettingsLayout({ children }: { readonly children: ReactNode }) {
  return <SettingsFrame>{children}</SettingsFrame>;
}
