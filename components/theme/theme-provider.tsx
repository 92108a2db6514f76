"use client";

import { MantineProvider } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { obeyPolicy } from "./obey-policy.ts";
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
