const [secondMs, minuteMs, hourMs, dayMs] = [1_000, 60_000, 3_600_000, 86_400_000];

/** How long something takes, in the words of messages: "842 ms", "1.5 s", "5 min", "1 min 30 s", "2 h", "3 days". */
export function durationInWords(ms: number): string {
  if (ms < secondMs) return `${Math.round(ms)} ms`;
  if (ms < minuteMs - 50) return `${Math.round(ms / 100) / 10} s`;
  if (ms < hourMs - 500) return twoUnits(Math.round(ms / secondMs), 60, "min", "s");
  if (ms < 2 * dayMs) return twoUnits(Math.round(ms / minuteMs), 60, "h", "min");
  return `${Math.round((ms / dayMs) * 10) / 10} days`;
}

function twoUnits(count: number, perLarge: number, large: string, small: string): string {
  const rest = count % perLarge;
  return `${Math.floor(count / perLarge)} ${large}${rest === 0 ? "" : ` ${rest} ${small}`}`;
}
