import type { Action } from "#components/editor/actions/action.ts";
import { runTests } from "./test-runs.ts";

export const testActions: readonly Action[] = [
  { id: "tests", label: "Flow tests", group: "Flow", run: ({ editor }) => editor.show("tests") },
  {
    id: "backtest",
    label: "What would have changed?",
    group: "Flow",
    run: ({ editor }) => editor.store.setState({ isBacktesting: true }),
  },
  {
    id: "run-tests",
    label: "Run all tests",
    group: "Flow",
    shortcuts: ["mod+shift+T"],
    run: async (session) => {
      session.editor.show("tests");
      await runTests(session);
    },
  },
];
