import { expect, test } from "vitest";
import { describeSchedule, readSchedule, type SpokenSchedule, writeSchedule } from "./schedule-parts.ts";

const spoken: readonly (readonly [string, SpokenSchedule])[] = [
  ["* * * * *", { every: "minutes", step: 1 }],
  ["*/15 * * * *", { every: "minutes", step: 15 }],
  ["5 * * * *", { every: "hours", step: 1, minute: 5 }],
  ["0 */6 * * *", { every: "hours", step: 6, minute: 0 }],
  ["30 9 * * *", { every: "week", days: [0, 1, 2, 3, 4, 5, 6], hour: 9, minute: 30 }],
  ["0 9 * * 1-5", { every: "week", days: [1, 2, 3, 4, 5], hour: 9, minute: 0 }],
  ["0 9 * * 1,3", { every: "week", days: [1, 3], hour: 9, minute: 0 }],
  ["59 23 31 * *", { every: "month", day: 31, hour: 23, minute: 59 }],
  ["0 0 L * *", { every: "month", day: "last", hour: 0, minute: 0 }],
];

test.each(spoken)("%s is read and written as the same schedule", (cron, schedule) => {
  expect(readSchedule(cron)).toEqual(schedule);
  expect(writeSchedule(schedule)).toBe(cron);
});

test("equivalent spellings are recognized", () => {
  const same = (cron: string) => writeSchedule(readSchedule(cron) ?? { every: "minutes", step: 1 });
  const spellings = ["@daily", " 0  9 * * mon-fri ", "00 09 * * SUN,MON", "0 9 * * 5-7", "*/1 * * * *", "@Weekly"];
  expect(spellings.map(same)).toEqual([
    ...["0 0 * * *", "0 9 * * 1-5", "0 9 * * 0,1"],
    ...["0 9 * * 0,5,6", "* * * * *", "0 0 * * 0"],
  ]);
});

test("schedules that the builder cannot show stay cron", () => {
  const others = [
    ...["", "whenever", "0 0 9 * * *", "*/7 * * * *", "0 */5 * * *", "0,30 * * * *", "0 9 1 1 *", "0 9 1 * 1"],
    ...["0 9 * * 5#2", "60 9 * * *", "0 24 * * *", "0 9 32 * *", "0 9 * * 5-1", "0 9 * * 8", "@yearly", "-1 9 * * *"],
  ];
  expect(others.filter((cron) => readSchedule(cron) !== null)).toEqual([]);
});

test.each([
  ["* * * * *", "Every minute"],
  ["*/15 * * * *", "Every 15 minutes"],
  ["5 */6 * * *", "Every 6 hours at :05"],
  ["30 9 * * *", "Every day at 09:30"],
  ["0 9 * * 1-5", "On workdays at 09:00"],
  ["0 9 * * 0", "On Sundays at 09:00"],
  ["45 7 * * 1,3", "On Mon, Wed at 07:45"],
  ["0 8 31 * *", "On day 31 of each month at 08:00"],
  ["0 8 L * *", "On each month’s last day at 08:00"],
])("%s is %s in words", (cron, words) => {
  const schedule = readSchedule(cron);
  expect(schedule && describeSchedule(schedule)).toBe(words);
});
