// The time of day that people in a time zone read, through the changes of its clocks. A wall time is written as the epoch
// milliseconds of the same reading in UTC.

const hourMs = 3_600_000;
/** Beyond every offset from UTC: on either side of this, a change of clocks near a wall time has happened, or has not. */
const offsetMsMax = 36 * hourMs;

/** The clock of an IANA time zone. */
export class WallClock {
  readonly #format: Intl.DateTimeFormat;

  constructor(timezone: string) {
    this.#format = new Intl.DateTimeFormat("en-US", {
      timeZone: timezone,
      hourCycle: "h23",
      ...{ era: "short", year: "numeric", month: "numeric", day: "numeric" },
      ...{ hour: "numeric", minute: "numeric", second: "numeric" },
    });
  }

  /** The last wall time that has come by this moment: one that occurs twice comes the first time. */
  latestAt(ms: number): number {
    const offset = this.#offsetAt(ms);
    const back = this.#offsetAt(ms - offsetMsMax) - offset;
    const isRepeat = back > 0 && this.#offsetAt(ms - back) === offset + back;
    return isRepeat ? this.#changeBetween(ms - back, ms) + offset + back - 1 : ms + offset;
  }

  /** When this wall time comes for the first time; one that is skipped comes as the clock moves on. */
  momentOf(wallMs: number): number {
    const [before, after] = [this.#offsetAt(wallMs - offsetMsMax), this.#offsetAt(wallMs + offsetMsMax)];
    const found = [wallMs - before, wallMs - after].filter(
      (ms, index) => this.#offsetAt(ms) === (index === 0 ? before : after),
    );
    if (found.length > 0) return Math.min(...found);
    return this.#changeBetween(wallMs - after, wallMs - before);
  }

  #offsetAt(ms: number): number {
    const parts: Record<string, string> = {};
    for (const { type, value } of this.#format.formatToParts(ms)) parts[type] = value;
    const { year, month, day, hour, minute, second, era } = parts;
    const wall = new Date(0);
    wall.setUTCFullYear(era === "BC" ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day));
    wall.setUTCHours(Number(hour), Number(minute), Number(second));
    return wall.getTime() - Math.floor(ms / 1_000) * 1_000;
  }

  /** The first moment with the offset that holds at `to`; at `from`, another one does. */
  #changeBetween(from: number, to: number): number {
    const offset = this.#offsetAt(to);
    let [before, after] = [from, to];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (this.#offsetAt(middle) === offset) after = middle;
      else before = middle;
    }
    return after;
  }
}
