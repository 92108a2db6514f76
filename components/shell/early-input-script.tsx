import { earlyInputScript } from "./early-input.ts";

/** Remembers what is pressed before the page can listen; must come before everything that can be pressed. */
export function EarlyInputScript({ nonce }: { readonly nonce: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant; as text React would escape it
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: earlyInputScript }} />;
}
