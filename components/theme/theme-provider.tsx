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
  // The first response's nonce is the document's: later ones are ignored.
  const [first] = useState(() => {
    applyNonce(nonce);
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
 * Passes the page's Content-Security-Policy to libraries: the nonce to those that create `<style>` elements, and to
 * zod that it must not compile code at run time.
 */
function applyNonce(nonce: string): void {
  if (typeof window === "undefined") return;
  const zod = Object.assign(Reflect.get(globalThis, "__zod_globalConfig") ?? {}, { jitless: true });
  Object.assign(globalThis, { __webpack_nonce__: nonce, __zod_globalConfig: zod });
}
