import { globSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, signIn, test } from "./signed-in.ts";

/** What the browser blocked on the pages that the test opens. */
async function watchViolations(page: Page): Promise<string[]> {
  const violations: string[] = [];
  await page.exposeFunction("tellViolation", (text: string) => violations.push(text));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const { violatedDirective, blockedURI, sourceFile, lineNumber } = event;
      const text = `${location.pathname}: ${violatedDirective} ${blockedURI} (${sourceFile}:${lineNumber})`;
      (window as unknown as { tellViolation(text: string): void }).tellViolation(text);
    });
  });
  return violations;
}

/** Until the page has rendered: a page that follows a run never stops using the network. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

/** The pages of a group without parameters, so that a new one is opened too. */
const pagesOf = (group: string) =>
  globSync(`app/(${group})/**/page.tsx`)
    .map((file) => `/${file.split("/").slice(2, -1).join("/")}`)
    .filter((path) => !path.includes("["));
const entryPages = [...pagesOf("auth"), "/reset-password/x", "/invitations/x", "/not-a-page"];

test("no page does what its Content-Security-Policy forbids", async ({ page, preparation }) => {
  const violations = await watchViolations(page);
  for (const path of entryPages) {
    await open(page, path);
  }
  const flowId = await preparation.createFlow({
    name: "Guarded",
    trigger: { type: "webhook" },
    nodes: [{ id: "t", type: "transform", config: { transform: "{{ $trigger.body }}" } }],
  });
  const runId = await preparation.run(flowId, { html: "<img src=x onerror=alert(1)>", link: "javascript:alert(1)" });
  await signIn(page);
  for (const path of [...pagesOf("app"), `/flows/${flowId}`, `/runs/${runId}`]) {
    await open(page, path);
  }
  // Dialogs, menus and toasts make their style elements when they open.
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await open(page, `/runs/${runId}`);
  await page.getByRole("button", { name: "Run again" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete the run" }).click();
  await expect(page.getByRole("status").filter({ hasText: "is deleted" })).toBeVisible();
  expect(violations).toEqual([]);
});

test("every page carries a policy with its own nonce, and cannot be framed", async ({ page }) => {
  const nonces = new Set<string>();
  for (const path of ["/sign-in", "/sign-in", "/not-a-page"]) {
    const headers = (await page.goto(path))?.headers() ?? {};
    const policy = headers["content-security-policy"] ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*('unsafe-inline'|'unsafe-eval'|https?:|\*)/);
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": expect.stringMatching(/same-origin|no-referrer/),
      "cross-origin-opener-policy": "same-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
    });
    nonces.add(/'nonce-([^']+)'/.exec(policy)?.[1] ?? "");
  }
  expect(nonces.size).toBe(3);
  expect([...nonces].every((nonce) => nonce.length >= 22)).toBe(true);
});

test("an injected inline script does not run", async ({ page }) => {
  await page.goto("/sign-in");
  const result = await page.evaluate(async () => {
    const element = document.createElement("div");
    element.innerHTML = "<img src=/none.png onerror='window.ran = 1'><a href='javascript:window.ran = 2'>x</a>";
    document.body.append(element);
    element.querySelector("a")?.click();
    await new Promise((resolve) => element.querySelector("img")?.addEventListener("error", resolve));
    return (window as unknown as { ran?: number }).ran ?? 0;
  });
  expect(result).toBe(0);
});
