"use client";
import { MantineProvider } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { cssVariablesResolver, theme } from "./theme.ts";

interface ThemeProviderProps {
  /** Lets this page's own `<style>` elements through its Content-Security-Policy. */
  readonly nonce: string;
  readonly children: ReactNode;
}

export function ThemeProvider({ nonce, children }: ThemeProviderProps) {
  // The document's nonce stays, whatever later answers carry: the first one is kept.
  const [first] = useState(() => {
    obeyPolicy(nonce);
    return nonce;
  });
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      getStyleNonce={() => first}
    >
      {children}
    </MantineProvider>
  );
}

/**
 * Tells libraries of the page's Content-Security-Policy, where they look for it: those that make `<style>` elements the
 * nonce, and zod that nothing may be compiled at run time, or it would try.
 */
function obeyPolicy(nonce: string): void {
  if (typeof window === "undefined") return;
  const zod = Object.assign(Reflect.get(globalThis, "__zod_globalConfig") ?? {}, { jitless: true });
  Object.assign(globalThis, { __webpack_nonce__: nonce, __zod_globalConfig: zod });
}
