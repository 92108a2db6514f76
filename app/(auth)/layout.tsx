import type { ReactNode } from "react";
import { EntryFrame } from "#components/auth/entry-frame.tsx";

export default function EntryLayout({ children }: { readonly children: ReactNode }) {
  return <EntryFrame>{children}</EntryFrame>;
}
