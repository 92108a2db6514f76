import "@mantine/core/styles.layer.css";
import "./globals.css";
import { ColorSchemeScript, mantineHtmlProps } from "@mantine/core";
import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { ThemeProvider } from "#components/theme/theme-provider.tsx";

export const metadata: Metadata = {
  title: { default: "Millrace", template: "%s · Millrace" },
  description: "Draw a flow, call it, watch every run.",
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f9fafa" },
    { media: "(prefers-color-scheme: dark)", color: "#101415" },
  ],
};

export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  // Made anew for every answer, by proxy.ts.
  const nonce = (await headers()).get("x-nonce") ?? "";
  return (
    <html lang="en" className={`${GeistSans.variable} ${GeistMono.variable}`} {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} />
      </head>
      <body>
        <ThemeProvider nonce={nonce}>{children}</ThemeProvider>
      </body>
    </html>
  );
}
