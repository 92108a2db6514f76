"use client";
import { useEffect, useRef, useState } from "react";
import { showToast } from "#components/toast/toast.ts";

/** Copies text to the clipboard; throws if the browser refuses. Over plain HTTP, browsers copy only what is selected. */
export async function copyText(text: string): Promise<void> {
  const { clipboard } = navigator as { readonly clipboard?: Clipboard };
  if (clipboard !== undefined) return await clipboard.writeText(text);
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  field.style.opacity = "0";
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  if (!isCopied) throw new Error("The browser does not allow copying");
}

const shownMs = 1_500;

/** Copies on a click; `isCopied` for a moment afterwards. */
export function useCopy(): { readonly isCopied: boolean; readonly copy: (text: string) => Promise<void> } {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (text: string) => {
    try {
      await copyText(text);
      setCopied(true);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setCopied(false), shownMs);
    } catch {
      await showToast({ message: "The browser does not allow this page to copy.", tone: "failed" });
    }
  };
  return { isCopied, copy };
}
