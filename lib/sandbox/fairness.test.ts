// One owner's expressions, however many and however slow, do not delay another's.
import { existsSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createSandbox, type Sandbox } from "./sandbox.ts";

const endless = "(() => { for (;;); })()";
const open: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

function create(children: number): Sandbox {
  const sandbox = createSandbox({ children });
  open.push(sandbox);
  return sandbox;
}

const evaluate = (sandbox: Sandbox, owner: string, source: string, cpuMs = 5_000) =>
  sandbox.run({ scope: {}, programs: [{ source, kind: "expression" }], owner, limits: { cpuMs } });

/** Tasks that never end by themselves; closing the sandbox ends them. */
function flood(sandbox: Sandbox, owner: string, count: number): void {
  for (let index = 0; index < count; index += 1) evaluate(sandbox, owner, endless, 600_000).catch(() => {});
}

describe("while one owner has more tasks than there are children", () => {
  test("it holds all of them but one, and another's task is evaluated at once", async () => {
    const sandbox = create(3);
    flood(sandbox, "flooder", 20);
    await vi.waitFor(() => expect(sandbox.stats().running).toHaveLength(2), 30_000);
    const { results } = await evaluate(sandbox, "other", "1 + 1");
    expect(results).toEqual([{ ok: true, json: "2", type: "number" }]);
    expect(sandbox.stats()).toMatchObject({ queued: 18, killed: 0 });
    expect(sandbox.stats().running).toHaveLength(2);
  });

  test("even if the reserved child was started in advance", async () => {
    const sandbox = create(3);
    flood(sandbox, "flooder", 20);
    await vi.waitFor(() => expect(sandbox.stats().running).toHaveLength(2), 30_000);
    await vi.waitFor(() => expect(sandbox.stats().spareIsReady).toBe(true), 30_000);
    expect((await evaluate(sandbox, "other", "1 + 1")).results[0]?.ok).toBe(true);
  });

  test("its own tasks wait in order of arrival, and others take turns", async () => {
    const sandbox = create(1);
    const order: string[] = [];
    const busy = evaluate(sandbox, "first", "(() => { const end = Date.now() + 300; while (Date.now() < end); })()");
    const requests = [
      ...["a1", "a2", "a3"].map((name) => evaluate(sandbox, "a", `'${name}'`, 2_000).then(() => order.push(name))),
      ...["b1", "b2"].map((name) => evaluate(sandbox, "b", `'${name}'`, 2_000).then(() => order.push(name))),
    ];
    await Promise.all([busy, ...requests]);
    expect(order).toEqual(["a1", "b1", "a2", "b2", "a3"]);
  });

  test("with a single child, others get their turn when its task has ended", async () => {
    const sandbox = create(1);
    let ended = 0;
    const end = () => {
      ended += 1;
    };
    const slow = Array.from({ length: 5 }, () => evaluate(sandbox, "flooder", endless, 60).then(end));
    const { results } = await evaluate(sandbox, "other", "1 + 1", 60);
    expect(results[0]?.ok).toBe(true);
    expect(ended).toBeLessThan(5);
    await Promise.all(slow);
  });

  test("a slow owner shares no batch with others", async () => {
    const sandbox = create(2);
    await evaluate(sandbox, "slow", endless, 100);
    const { batches } = sandbox.stats();
    await Promise.all([evaluate(sandbox, "slow", "1", 100), evaluate(sandbox, "quick", "1", 100)]);
    expect(sandbox.stats().batches).toBe(batches + 2);
  });
});

test("children have a lower priority than the server, which responds while all of them compute", async () => {
  const sandbox = create(2);
  await evaluate(sandbox, "any", "1", 100);
  const [pid = 0] = sandbox.stats().children;
  expect(getPriority(pid) - getPriority()).toBeGreaterThanOrEqual(5);
  if (!existsSync(`/proc/${pid}/task`)) return;
  // The evaluating thread is the process's first: its niceness is in this file.
  const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, "latin1").split(") ")[1]?.split(" ");
  expect(Number(fields?.[16])).toBe(getPriority(pid));
});
