import { z } from "zod";
import { isJsonObject } from "#lib/engine/json.ts";
import { waitForm } from "#lib/engine/wait-form.ts";
import { durationMeta } from "./config-fields.ts";
import { defineNode, NodeFailure } from "./define.ts";
import { waitMsMax } from "./delay.ts";

const resumedHandle = "resumed";
const timeoutHandle = "timeout";

/** Waits for a call to the URL `$resume['<node id>']`, or for people's answers to a form there. */
export const wait = defineNode({
  type: "wait",
  name: "Wait",
  keywords: ["approval", "approve", "human", "review", "pause", "callback"],
  family: "logic",
  icon: "hand-click",
  iconPath:
    "M8 13v-8.5a1.5 1.5 0 0 1 3 0v7.5M11 11.5v-2a1.5 1.5 0 0 1 3 0v2.5M14 10.5a1.5 1.5 0 0 1 3 0v1.5M17 11.5a1.5 1.5 0 0 1 3 0v4.5a6 6 0 0 1 -6 6h-2h.208a6 6 0 0 1 -5.012 -2.7l-.196 -.3c-.312 -.479 -1.407 -2.388 -3.286 -5.728a1.5 1.5 0 0 1 .536 -2.022a1.867 1.867 0 0 1 2.28 .28l1.47 1.47M5 3l-1 -1M4 7h-1M14 3l1 -1M15 6h1",
  summary: [
    "for {form.title:text}[, up to {timeoutMs:duration}]",
    "{form?}for answers to a form[, up to {timeoutMs:duration}]",
    "for a call to its URL[, up to {timeoutMs:duration}]",
  ],
  description: `Waits for an approval, a form or a call: until somebody submits its form or calls its URL, which every node of the flow has as \`$resume['<node id>']\`, also
those before it: send it out first. A \`POST\` to it resumes the run, once, with the call's body. Opened in
a browser, the URL shows a page with a button, and with \`form\` its fields; opening it does nothing. Members
can answer on the run's page.

Output: \`{body, resumedAt, resumedBy}\`; a plain edge is followed. With \`timeoutMs\`, the edge \`timeout\` is followed
if nobody calls; without such an edge the node fails. While it waits, the run survives restarts, uses no resources, and
its time limit is paused.

Example: \`{"timeoutMs": 86400000, "form": {"title": "Pay the invoice?", "fields": [{"name": "note"}], "actions":
[{"id": "approve"}, {"id": "reject"}]}}\` gives \`{"body": {"note": null, "action": "approve"}, …}\`.`,
  effect: "wait",
  waitsFor: "call",
  // A plain edge must not be followed after a timeout, as if an answer had come.
  handles: { fixed: [resumedHandle, timeoutHandle], plain: resumedHandle },
  config: z.object({
    timeoutMs: z
      .number("must be a number of milliseconds")
      .min(1, "must be at least 1")
      .max(waitMsMax, `must be at most ${waitMsMax} (a year)`)
      .optional()
      .meta(
        durationMeta({
          title: "Time limit",
          description: "The timeout in milliseconds, up to a year. Default: none.",
        }),
      ),
    form: waitForm
      .optional()
      .meta({ title: "Form", description: "The form to show people. Without it, any body is accepted." }),
  }),
  example: {
    timeoutMs: 86_400_000,
    form: {
      title: "Pay the invoice?",
      description: "{{ $trigger.body.supplier }}: {{ $trigger.body.total }}",
      fields: [{ name: "note", type: "textarea" }],
      actions: [{ id: "approve", label: "Approve" }, { id: "reject" }],
    },
  },
  run: ({ timeoutMs, form }, context) => ({
    wait: {
      kind: "call",
      until: timeoutMs === undefined ? null : context.now() + timeoutMs,
      state: { form: form ?? null, timeoutLeads: context.isConnected(timeoutHandle) },
    },
  }),
  resume: ({ state }, { by, at, value }) => {
    if (by !== "time") {
      const { body = null, resumedBy = null } = isJsonObject(value) ? value : {};
      return { output: { body, resumedAt: at, resumedBy }, handle: resumedHandle };
    }
    if (state.timeoutLeads !== true) throw new NodeFailure("WAIT_TIMEOUT", "Nobody answered within the time limit");
    return { output: { body: null, resumedAt: null, resumedBy: null, timedOutAt: at }, handle: timeoutHandle };
  },
});
