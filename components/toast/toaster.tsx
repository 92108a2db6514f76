"use client";

import "@mantine/notifications/styles.layer.css";
import { Notifications } from "@mantine/notifications";
import { useEffect } from "react";
import { keepFocus } from "./keep-focus.ts";
import { keepPageWhileAway } from "./page-requests.ts";
import { StaleNotice } from "./stale-notice.tsx";

export { notifications } from "@mantine/notifications";
export { ToastText } from "./toast-text.tsx";

/** The corners where messages about the page appear. Loaded ahead, because some say that nothing can be loaded. */
export default function Toaster() {
  useEffect(keepPageWhileAway, []);
  useEffect(keepFocus, []);
  return (
    <>
      <StaleNotice />
      <Notifications position="bottom-right" containerWidth={380} limit={4} />
    </>
  );
}
