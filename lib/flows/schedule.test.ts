import { describe, expect, test } from "vitest";
import { nextTime, nextTimes, type Schedule, scheduleProblems, timesBetween } from "./schedule.ts";
import { dueTimes } from "./stored-schedule.ts";

const schedule = (cron: string, timezone = "Europe/Berlin", misfire: Schedule["misfire"] = "once"): Schedule => ({
  cron,
  timezone,
  misfire,
});
const timesAfter = (cron: string, from: string, count: number, timezone?: string) =>
  nextTimes(schedule(cron, timezone), new Date(from), count).map((time) => time.toISOString().replace(":00.000Z", "Z"));

describe("a schedule", () => {
  // Proves trigger.schedule
  test("runs at its time of day in its time zone, in summer and in winter", () => {
    expect(timesAfter("0 9 * * *", "2026-07-01T00:00:00Z", 1)).toEqual(["2026-07-01T07:00Z"]);
    expect(timesAfter("0 9 * * *", "2026-12-01T00:00:00Z", 1)).toEqual(["2026-12-01T08:00Z"]);
    expect(timesAfter("0 9 * * MON-FRI", "2026-07-03T14:00:00Z", 2, "America/New_York")).toEqual([
      "2026-07-06T13:00Z",
      "2026-07-07T13:00Z",
    ]);
  });

  test("may have seconds, and names", () => {
    expect(nextTime(schedule("*/10 * * * * *", "UTC"), new Date("2026-01-01T00:00:01Z"))?.toISOString()).toBe(
      "2026-01-01T00:00:10.000Z",
    );
    expect(timesAfter("@daily", "2026-01-01T00:00:01Z", 1, "UTC")).toEqual(["2026-01-02T00:00Z"]);
  });

  test("may be decades away, and is found when searching backwards", () => {
    const leapMondays = schedule("0 0 29 2 +MON", "UTC");
    // 2100 is not a leap year: four decades.
    const [first, second] = nextTimes(leapMondays, new Date("2072-03-01T00:00:00Z"), 2);
    expect([first, second]).toEqual([new Date("2112-02-29T00:00:00Z"), new Date("2140-02-29T00:00:00Z")]);
    expect(timesBetween(leapMondays, new Date("2072-03-01T00:00:00Z"), new Date("2150-01-01T00:00:00Z"), 5)).toEqual([
      first,
      second,
    ]);
    expect(scheduleProblems({ cron: "0 0 31 * +MON#1" })).toEqual([
      { field: "cron", message: "names a day that no calendar has" },
    ]);
  });

  test("at a time of day that the clock skips in spring runs as soon as the clock moves on, once", () => {
    // Berlin skips 02:00 to 03:00 on 29 March 2026.
    expect(timesAfter("30 2 * * *", "2026-03-28T00:00:00Z", 3)).toEqual([
      "2026-03-28T01:30Z",
      "2026-03-29T01:00Z",
      "2026-03-30T00:30Z",
    ]);
  });

  test("at a time of day that occurs twice in autumn runs only the first time", () => {
    // Berlin repeats 02:00 to 03:00 on 25 October 2026.
    expect(timesAfter("30 2 * * *", "2026-10-24T00:00:00Z", 3)).toEqual([
      "2026-10-24T00:30Z",
      "2026-10-25T00:30Z",
      "2026-10-26T01:30Z",
    ]);
  });

  test.each([
    ["15,45 2 * * *", ["29T01:00", "30T00:15", "30T00:45"], ["25T00:15", "25T00:45", "26T01:15", "26T01:45"]],
    ["30 2,3 * * *", ["29T01:00", "29T01:30", "30T00:30"], ["25T00:30", "25T02:30", "26T01:30"]],
    ["0 */2 * * *", ["29T01:00", "29T02:00", "29T04:00"], ["25T00:00", "25T03:00", "25T05:00"]],
    [
      "*/20 * 2 * * *",
      ["29T01:00", "30T00:00", "30T00:00", "30T00:00", "30T00:01"],
      ["25T00:00", "25T00:00", "25T00:00", "25T00:01"],
    ],
  ])("%s runs at each of its times of day once, through both changes", (cron, spring, autumn) => {
    const times = (after: string, count: number) => timesAfter(cron, after, count).map((time) => time.slice(8, 16));
    expect(times("2026-03-29T00:45:00Z", spring.length)).toEqual(spring);
    expect(times("2026-10-24T22:30:00Z", autumn.length)).toEqual(autumn);
  });

  test("that repeats within the hour keeps its interval through both changes", () => {
    expect(timesAfter("*/30 * * * *", "2026-03-29T00:15:00Z", 4)).toEqual([
      "2026-03-29T00:30Z",
      "2026-03-29T01:00Z",
      "2026-03-29T01:30Z",
      "2026-03-29T02:00Z",
    ]);
    expect(timesAfter("*/30 * * * *", "2026-10-25T00:15:00Z", 4)).toEqual([
      "2026-10-25T00:30Z",
      "2026-10-25T01:00Z",
      "2026-10-25T01:30Z",
      "2026-10-25T02:00Z",
    ]);
  });

  test.each(["*/30 * * * *", "30 2 * * *", "15 1-3 * * *", "45 1 1-7 * *"])(
    "%s gives the same times forwards and backwards, in every zone, through every change",
    (cron) => {
      for (const [from, to] of [
        [new Date("2026-03-27T00:00:00Z"), new Date("2026-04-06T00:00:00Z")],
        [new Date("2026-10-02T00:00:00Z"), new Date("2026-11-02T00:00:00Z")],
      ] as const) {
        for (const timezone of ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo", "UTC"]) {
          const found = timesBetween(schedule(cron, timezone), from, to, 2_000);
          const forwards = nextTimes(schedule(cron, timezone), new Date(from.getTime() - 1), found.length + 1);
          expect([timezone, forwards.filter((time) => time <= to)]).toEqual([timezone, found]);
        }
      }
    },
  );
});

describe("an invalid schedule", () => {
  const problems = (given: object) => scheduleProblems(given).map(({ field, message }) => `${field} ${message}`);

  test("is reported with its field", () => {
    expect(problems({ cron: "* * * * *" })).toEqual([]);
    expect(problems({ cron: "* * * * *", timezone: "Asia/Kathmandu", misfire: "all" })).toEqual([]);
    expect(problems({})).toEqual(["cron a schedule needs a cron expression, such as 0 9 * * MON-FRI"]);
    expect(problems({ cron: "* * * *" })).toEqual([
      "cron must have five fields, or six with seconds first, or be a name such as @daily",
    ]);
    expect(problems({ cron: "61 * * * *" })).toEqual([
      'cron has an invalid minute, "61": use 0-59, a range (1-5), a list (1,3) or a step (*/2)',
    ]);
    expect(problems({ cron: "0 0 * 13 *" })).toEqual([
      'cron has an invalid month, "13": use 1-12, JAN-DEC, a range (1-5), a list (1,3) or a step (*/2)',
    ]);
    expect(problems({ cron: "0 0 0 * *" })).toEqual([
      'cron has an invalid day of the month, "0": use 1-31, L (the last), a range (1-5), a list (1,3) or a step (*/2)',
    ]);
    expect(problems({ cron: "* * * * *", timezone: "Mars/Base", misfire: "never" })).toEqual([
      "timezone must be the name of a time zone, such as Europe/Berlin",
      "misfire must be one of skip, once, all",
    ]);
  });

  test.each([
    5,
    "a".repeat(201),
    "0 0 30 2 *",
    "2030-01-01T00:00:00",
    "@reboot",
    "* * * * * * 2030",
    "\u0000 * * * *",
    "*/0 * * * *",
  ])("is %j", (cron) => {
    expect(problems({ cron })).toHaveLength(1);
  });
});

describe("due times", () => {
  const hourly = (misfire: Schedule["misfire"], from: string, now: string) =>
    dueTimes(schedule("0 * * * *", "UTC", misfire), new Date(from), new Date(now)).map(
      ({ at, missed }) => `${at.toISOString().slice(11, 16)} ${missed}`,
    );

  test("that are on time get a run each, whatever the policy for missed ones", () => {
    for (const misfire of ["skip", "once", "all"] as const) {
      expect(hourly(misfire, "2026-01-01T05:00:00Z", "2026-01-01T05:00:00.400Z")).toEqual(["05:00 0"]);
      expect(hourly(misfire, "2026-01-01T05:00:00Z", "2026-01-01T05:01:20Z")).toEqual(["05:00 0"]);
    }
  });

  // Proves trigger.schedule
  test.each([
    ["skip", []],
    ["once", ["04:00 3"]],
    ["all", ["01:00 0", "02:00 0", "03:00 0", "04:00 0"]],
  ] as const)("and were missed get, with %s, %j", (misfire, expected) => {
    expect(hourly(misfire, "2026-01-01T01:00:00Z", "2026-01-01T04:30:00Z")).toEqual(expected);
  });

  test.each([
    ["skip", ["04:00 0"]],
    ["once", ["04:00 3"]],
    ["all", ["01:00 0", "02:00 0", "03:00 0", "04:00 0"]],
  ] as const)("some missed and one in time get, with %s, %j", (misfire, expected) => {
    expect(hourly(misfire, "2026-01-01T01:00:00Z", "2026-01-01T04:00:10Z")).toEqual(expected);
  });

  test("are at most the latest hundred, however long nothing ran", () => {
    const every = schedule("* * * * * *", "UTC", "all");
    const due = dueTimes(every, new Date("2020-01-01T00:00:00Z"), new Date("2026-01-01T00:00:00Z"));
    expect(due).toHaveLength(100);
    expect(due.at(-1)?.at.toISOString()).toBe("2026-01-01T00:00:00.000Z");
  });

  test("are none after the clock was set back", () => {
    expect(hourly("all", "2026-01-01T05:00:00Z", "2026-01-01T04:00:00Z")).toEqual([]);
  });
});
