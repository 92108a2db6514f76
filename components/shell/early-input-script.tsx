import { earlyInputScript } from "./early-input.ts";

/** Records clicks and keys before hydration; must precede every interactive element. */
export function EarlyInputScript({ nonce }: { readonly nonce: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant; as text React would escape it
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: earlyInputScript }} />;
}
