import type { Examples } from "./example.ts";

const flowId = "flow_01kad6w1m4e8tvm8d9fqzc4x2r";
const id = "bt_01kadf6n2r7j3vzx8b4c9mq5wt";
const executionId = "exec_01kad7c9p2f6atqxv3m0wz8y5n";

const backtest = {
  id,
  flowId,
  status: "completed",
  of: "draft",
  version: 3,
  done: 100,
  total: 100,
  counts: { same: 97, changed: 2, mended: 1, broken: 0, unknown: 0 },
  createdAt: "2026-01-31T10:12:45.120Z",
  completedAt: "2026-01-31T10:12:45.604Z",
  error: null,
};

const run = {
  executionId,
  startedAt: "2026-01-19T09:00:00.000Z",
  verdict: "changed",
  first: { nodeId: "total", path: "output.total", before: 42.5, after: 50 },
  calls: [{ nodeId: "price", change: "same", before: null, after: null }],
  reason: null,
};

const total = { status: "completed", request: null, error: null };

export const backtestExamples: Examples = {
  "POST /flows/:id/backtests": {
    body: { last: 100, status: "completed", since: "2026-01-01" },
    answer: { backtestId: id, status: "running", total: 100 },
  },
  "GET /flows/:id/backtests": { answer: backtest },
  "GET /flows/:id/backtests/:backtestId": {
    answer: { ...backtest, runs: [run], pagination: { page: 1, limit: 20, total: 100, totalPages: 5 } },
  },
  "DELETE /flows/:id/backtests/:backtestId": {},
  "GET /flows/:id/backtests/:backtestId/runs/:executionId": {
    answer: {
      ...run,
      before: { status: "completed", output: { total: 42.5 } },
      after: { status: "completed", output: { total: 50 } },
      nodes: [
        {
          nodeId: "total",
          before: { ...total, output: { total: 42.5 } },
          after: { ...total, output: { total: 50 } },
        },
      ],
    },
  },
  "GET /flows/:id/types": {
    answer: {
      trigger: {
        type: "object",
        "x-seen": 120,
        properties: { body: { type: "object", "x-seen": 120, "x-missing": 0 } },
      },
      nodes: {
        total: {
          type: "object",
          "x-seen": 118,
          properties: {
            total: { type: "number", "x-seen": 118, "x-missing": 0 },
            discount: { type: ["number", "null"], "x-seen": 30, "x-missing": 88 },
          },
          required: ["total"],
        },
      },
    },
  },
};
