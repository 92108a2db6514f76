"use client";

import "@mantine/notifications/styles.layer.css";
import { Notifications } from "@mantine/notifications";

/** The corner where toasts appear. */
export default function Toaster() {
  return <Notifications position="bottom-right" containerWidth={380} limit={4} />;
}
