"use client";

import { useChange } from "#components/api/use-change.ts";
import { showToast } from "#components/toast/toast.ts";

/** Sends a test event and tells what the receiver made of it. */
export function useSendTest(id: string) {
  return useChange({
    run: (api) => api.call("testSubscription", { params: { id } }),
    stale: ["webhooks"],
    failed: "The test was not sent.",
    onDone: ({ status, statusCode, error }) => {
      const isDelivered = status === "delivered";
      const message = isDelivered ? `The receiver answered ${statusCode}.` : `The test did not arrive. ${error ?? ""}`;
      void showToast({ message, tone: isDelivered ? "done" : "failed" });
    },
  });
}
