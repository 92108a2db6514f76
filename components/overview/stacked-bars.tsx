import { type ScaleBand, type ScaleLinear, scaleBand, scaleLinear } from "d3-scale";
import { runStatuses } from "#components/status/run-status.tsx";
import type { ShownOverview } from "#lib/contract/executions/figures.ts";
import styles from "./runs-chart.module.css";

type Point = ShownOverview["series"][number];

const [axisPx, labelPx, barPxMax, tickPx] = [40, 24, 36, 68] as const;
const numbers = new Intl.NumberFormat("en", { notation: "compact" });

interface StackedBarsProps {
  readonly points: readonly Point[];
  readonly series: ReturnType<typeof shownSeries>;
  readonly width: number;
  readonly height: number;
  readonly tickOf: (at: string) => string;
  /** The hovered bar. */
  readonly pointed: string | null;
  readonly onPoint: (at: string | null) => void;
  readonly onOpen: (at: string) => void;
}

/** A bar for each point in time, its parts stacked; the hover area reaches from top to bottom. */
export function StackedBars({ points, series, width, height, tickOf, pointed, onPoint, onOpen }: StackedBarsProps) {
  const x = bandsOf(points, width);
  const max = Math.max(1, ...points.map((point) => series.reduce((sum, { name }) => sum + point[name], 0)));
  const y = scaleLinear([0, max], [height - labelPx, 6]).nice(4);
  return (
    <svg aria-hidden="true" width={width} height={height} className={styles.bars} onPointerLeave={() => onPoint(null)}>
      <Lines y={y} width={width} />
      <Names points={points} x={x} y={height - 6} tickOf={tickOf} />
      {points.map((point) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the table beside it says the same, by keyboard too
        <g key={point.at} onPointerEnter={() => onPoint(point.at)} onClick={() => onOpen(point.at)}>
          <rect
            className={styles.column}
            data-pointed={point.at === pointed || undefined}
            x={x(point.at)}
            y={0}
            width={x.step()}
            height={height - labelPx}
          />
          <Bar point={point} series={series} x={x} y={y} />
        </g>
      ))}
    </svg>
  );
}

/** The columns, one per point in time. */
export function bandsOf(points: readonly Point[], width: number): ScaleBand<string> {
  return scaleBand(
    points.map(({ at }) => at),
    [axisPx, width],
  );
}

interface LinesProps {
  readonly y: ScaleLinear<number, number>;
  readonly width: number;
}

/** The scale's lines: how many runs a height means. */
function Lines({ y, width }: LinesProps) {
  return y.ticks(4).flatMap((count) =>
    Number.isInteger(count) ? (
      <g key={count} transform={`translate(0 ${y(count)})`}>
        <line x1={axisPx} x2={width} className={styles.line} />
        <text x={axisPx - 8} dy="0.32em" textAnchor="end" className={styles.tick}>
          {numbers.format(count)}
        </text>
      </g>
    ) : (
      []
    ),
  );
}

interface NamesProps {
  readonly points: readonly Point[];
  readonly x: ScaleBand<string>;
  readonly y: number;
  readonly tickOf: (at: string) => string;
}

/** The points in time that there is room to label. */
function Names({ points, x, y, tickOf }: NamesProps) {
  const every = Math.max(1, Math.ceil(tickPx / x.step()));
  return points.map(({ at }, index) =>
    index % every === 0 ? (
      <text key={at} x={middleOf(x, at)} y={y} textAnchor="middle" className={styles.tick}>
        {tickOf(at)}
      </text>
    ) : null,
  );
}

interface BarProps {
  readonly point: Point;
  readonly series: ReturnType<typeof shownSeries>;
  readonly x: ScaleBand<string>;
  readonly y: ScaleLinear<number, number>;
}

function Bar({ point, series, x, y }: BarProps) {
  const width = Math.min(barPxMax, x.step() * 0.8);
  let below = 0;
  return series.map(({ name, color }) => {
    const from = below;
    below += point[name];
    if (point[name] === 0) return null;
    return (
      <rect
        key={name}
        x={middleOf(x, point.at) - width / 2}
        y={y(below)}
        width={width}
        height={y(from) - y(below)}
        fill={color}
      />
    );
  });
}

function middleOf(x: ScaleBand<string>, at: string): number {
  return (x(at) ?? 0) + x.step() / 2;
}

const hourMs = 3_600_000;

/** The parts of a bar, from the bottom. */
export const chartSeries = [
  { name: "completed", label: runStatuses.completed.label, color: "var(--chart-completed)" },
  { name: "failed", label: runStatuses.failed.label, color: "var(--status-failed)" },
  { name: "timeout", label: runStatuses.timeout.label, color: "var(--status-timeout)" },
  { name: "cancelled", label: runStatuses.cancelled.label, color: "var(--status-cancelled)" },
  { name: "open", label: "In progress", color: "var(--status-running)" },
] as const;

/** The series with any data; completed always, so that an empty chart has a legend. */
export function shownSeries(points: ShownOverview["series"]) {
  return chartSeries.filter(({ name }) => name === "completed" || points.some((point) => point[name] > 0));
}

/** Start and end of a bar's runs, within the span. */
export function barSpan(
  { from, to, bucket }: ShownOverview,
  at: string,
): { readonly from: string; readonly to: string } {
  const start = Math.max(Date.parse(at), Date.parse(from));
  const end = Math.min(Date.parse(at) + (bucket === "hour" ? hourMs : 24 * hourMs) - 1, Date.parse(to));
  return { from: new Date(start).toISOString(), to: new Date(end).toISOString() };
}

const hour = { hour: "2-digit", minute: "2-digit" } as const;
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** Labels of bars in a time zone; null is the browser's. Days are UTC days, as they are counted. */
export function barNames(bucket: ShownOverview["bucket"], zone: string | null) {
  const timeZone = zone ?? undefined;
  const hours = new Intl.DateTimeFormat("en-GB", { ...hour, timeZone });
  const dayHours = new Intl.DateTimeFormat("en-GB", { weekday: "short", ...hour, timeZone });
  return {
    /** The label below a bar. */
    tick: (at: string) => (bucket === "hour" ? hours : day).format(new Date(at)),
    /** A bar's label in its tooltip. */
    whole: (at: string) => (bucket === "hour" ? dayHours.format(new Date(at)) : `${day.format(new Date(at))} (UTC)`),
  };
}
