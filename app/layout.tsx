import "@mantine/core/styles.layer.css";
import "./globals.css";
import { ColorSchemeScript, mantineHtmlProps } from "@mantine/core";
import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { ThemeProvider } from "#components/theme/theme-provider.tsx";

const description = "Draw a flow, call it, watch every run.";

export async function generateMetadata(): Promise<Metadata> {
  return {
    // From proxy.ts: link previews need the image's absolute URL.
    metadataBase: new URL((await headers()).get("x-origin") ?? "http://localhost:3000"),
    title: { default: "Millrace", template: "%s · Millrace" },
    description,
    manifest: "/manifest.webmanifest",
    icons: {
      icon: [
        { url: "/favicon.ico", sizes: "32x32" },
        { url: "/icon.svg", type: "image/svg+xml" },
      ],
      apple: "/apple-touch-icon.png",
    },
    openGraph: { siteName: "Millrace", description, images: [{ url: "/social.png", width: 1200, height: 630 }] },
    twitter: { card: "summary_large_image" },
  };
}

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f9fafa" },
    { media: "(prefers-color-scheme: dark)", color: "#101415" },
  ],
};

export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  // Generated for every answer, by proxy.ts.
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
