import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { EditorSession } from "../state/editor-session.ts";
import { closeSessions, noticesOf, openOn, startLiveFlow, stateOf } from "../testing/live-flow.ts";
import { actionOf } from "./all-actions.ts";

let session: EditorSession;

beforeEach(async () => {
  session = await openOn(startLiveFlow());
  session.editor.select(["a"]);
});
afterEach(closeSessions);

const ids = () => stateOf(session).draft.nodes.map(({ id }) => id);

test("without a clipboard, nothing is cut, and the message says what to do instead", async () => {
  vi.stubGlobal("navigator", {});
  await actionOf("cut").run(session);
  await actionOf("paste").run(session);
  expect(ids()).toEqual(["a", "b"]);
  expect(noticesOf(session)).toEqual([
    "The browser does not allow this page to use the clipboard. Copy with the keyboard instead.",
    "The browser does not allow this page to use the clipboard. Paste with the keyboard instead.",
  ]);
});

test("what is cut is on the clipboard", async () => {
  const writeText = vi.fn(async () => {});
  vi.stubGlobal("navigator", { clipboard: { writeText } });
  await actionOf("cut").run(session);
  expect(ids()).toEqual(["b"]);
  expect(writeText).toHaveBeenCalledWith(expect.stringContaining('"a"'));
});
