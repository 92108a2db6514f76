import { afterAll, beforeAll, expect, test } from "vitest";
import { type Mailbox, openMailbox } from "#e2e/support/mailbox.ts";
import { inOwnDatabase, newActor } from "#e2e/support/own-database.ts";
import { database } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { createAlertRule } from "./alert-rules.ts";
import { fireAlert, mailAlerts } from "./alerts.ts";

let mailbox: Mailbox;
inOwnDatabase();
beforeAll(async () => {
  mailbox = await openMailbox();
  Object.assign(process.env, { SMTP_URL: mailbox.url, MAIL_FROM: "millrace@example.com" });
});
afterAll(() => mailbox?.close());

const fields = { name: "Watch", kind: "inactivity", threshold: 1, windowMinutes: 60, quietMinutes: 0 } as const;
const ruleFor = async (to: string) => {
  const actor = await newActor();
  const { id } = await createAlertRule(actor, { ...fields, emails: [to], active: true });
  return { actor, id, rule: () => database().alertRule.findUniqueOrThrow({ where: { id } }) };
};
const cause = { at: new Date(), flowId: null, flowName: null, executionId: null, message: "Nothing ran" };

test("the many alerts of one workspace do not delay the mails of another", async () => {
  const [many, other] = [await ruleFor("many@example.com"), await ruleFor("other@example.com")];
  const alert = { ruleId: many.id, ruleName: "Watch", kind: "inactivity", message: "Nothing ran", at: new Date(0) };
  const { workspaceId } = many.actor;
  const data = { ...alert, workspaceId, unmailed: ["many@example.com"] };
  await database().alert.createMany({ data: Array.from({ length: 60 }, () => ({ ...data, id: newId("alert") })) });
  expect(await fireAlert(await other.rule(), cause, new Date())).toBe(true);
  await mailAlerts();
  expect(mailbox.mails.filter(({ to }) => to === "other@example.com")).toHaveLength(1);
});

test("one address is mailed a hundred alerts in a row, from however many workspaces", async () => {
  const to = "flood@example.com";
  const rules = [await ruleFor(to), await ruleFor(to.toUpperCase())];
  const alert = { ruleName: "Watch", kind: "inactivity", message: "Nothing ran", at: new Date() };
  const data = rules.flatMap(({ actor: { workspaceId }, id: ruleId }) =>
    Array.from({ length: 70 }, () => ({ ...alert, id: newId("alert"), ruleId, workspaceId, unmailed: [to] })),
  );
  await database().alert.createMany({ data });
  const where = { ruleId: { in: rules.map(({ id }) => id) }, unmailed: { isEmpty: false } };
  while ((await database().alert.count({ where })) > 0) await mailAlerts();
  const { length } = mailbox.mails.filter((mail) => mail.to === to);
  expect(length).toBeGreaterThanOrEqual(100);
  // Then one a second, every two, every four: this does not take a minute.
  expect(length).toBeLessThan(107);
});

test("a workspace's alerts are mailed a hundred times an hour, and all are kept", async () => {
  const { actor, rule } = await ruleFor("often@example.com");
  const hourMs = 3_600_000;
  const nextHour = Math.ceil(Date.now() / hourMs) * hourMs;
  for (let n = 0; n < 103; n += 1) await fireAlert(await rule(), cause, new Date(nextHour + n));
  const where = { workspaceId: actor.workspaceId };
  const mailed = () => database().alert.count({ where: { ...where, unmailed: { isEmpty: false } } });
  expect(await database().alert.count({ where })).toBe(103);
  expect(await mailed()).toBe(100);
  await fireAlert(await rule(), cause, new Date(nextHour + hourMs - 1));
  expect(await mailed()).toBe(100);
  await fireAlert(await rule(), cause, new Date(nextHour + hourMs));
  expect(await mailed()).toBe(101);
});

test("a workspace has at most a hundred rules", async () => {
  const { actor } = await ruleFor("rules@example.com");
  for (let n = 1; n < 100; n += 1) await createAlertRule(actor, { ...fields, emails: [], active: false });
  await expect(createAlertRule(actor, { ...fields, emails: [], active: false })).rejects.toMatchObject({
    details: { name: "a workspace may have at most 100 rules: delete one first" },
  });
});
