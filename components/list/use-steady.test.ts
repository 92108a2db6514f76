import { expect, test, vi } from "vitest";
import { Presses } from "./use-steady.ts";

const send = (target: EventTarget, ...types: string[]) => {
  for (const type of types) target.dispatchEvent(new Event(type));
};

test("calls back at once while no button is pressed", () => {
  const call = vi.fn();
  const target = new EventTarget();
  const presses = new Presses(target);
  send(target, "mousedown", "mouseup");
  presses.after(call);
  expect(call).toHaveBeenCalledOnce();
});

test("calls back after a press, once, before what its click does", async () => {
  const calls: string[] = [];
  const target = new EventTarget();
  const presses = new Presses(target);
  send(target, "mousedown");
  presses.after(() => calls.push("called"));
  // Later in a page too, where this one captures the window's events.
  target.addEventListener("click", () => calls.push("clicked"));
  expect(calls).toEqual([]);
  send(target, "mouseup", "click");
  expect(calls).toEqual(["called", "clicked"]);
  await new Promise((resolve) => setTimeout(resolve));
  expect(calls).toEqual(["called", "clicked"]);
});

test.each(["mouseup", "dragend", "contextmenu"])(
  "calls back after a press that makes no click but ends with %s",
  async (end) => {
    const target = new EventTarget();
    const presses = new Presses(target);
    send(target, "mousedown");
    const called = new Promise<void>((resolve) => presses.after(resolve));
    send(target, end);
    await called;
  },
);

test("is down from press to release, but for no longer than a press lasts", () => {
  const target = new EventTarget();
  const presses = new Presses(target);
  const now = vi.spyOn(performance, "now").mockReturnValue(5_000);
  expect(presses.isDown).toBe(false);
  send(target, "mousedown");
  expect(presses.isDown).toBe(true);
  now.mockReturnValue(9_000);
  expect(presses.isDown).toBe(false);
  send(target, "mousedown");
  expect(presses.isDown).toBe(true);
  send(target, "mouseup");
  expect(presses.isDown).toBe(false);
  now.mockRestore();
});

test("does not call back once stopped", async () => {
  const call = vi.fn();
  const target = new EventTarget();
  const presses = new Presses(target);
  send(target, "mousedown");
  presses.after(call);
  presses.stop();
  send(target, "mouseup", "click");
  await new Promise((resolve) => setTimeout(resolve));
  expect(call).not.toHaveBeenCalled();
});
