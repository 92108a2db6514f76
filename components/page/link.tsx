"use client";
import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link to another page of the app. Next would request every link in view: dozens on a page of runs, each rendered by
 * the server, while the page is still loading its own data. As no page can be rendered ahead, those answers have nothing
 * that saves time later.
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />;
}
