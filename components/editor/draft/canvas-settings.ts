import { z } from "zod";
import type { FlowDraft } from "#lib/engine/changes/flow-draft.ts";

const place = z.object({ x: z.number(), y: z.number() });

export const noteColors = ["yellow", "blue", "green", "pink"] as const;
export type NoteColor = (typeof noteColors)[number];

export const noteSizeMin = { width: 120, height: 60 } as const;

export const canvasNote = place.extend({
  id: z.string(),
  width: z.number(),
  height: z.number(),
  text: z.string(),
  color: z.enum(noteColors).catch("yellow"),
});

export const canvasGroup = z.object({
  id: z.string(),
  name: z.string(),
  nodeIds: z.array(z.string()),
  collapsed: z.boolean(),
});

/** What is left to fix in an imported workflow. */
export const canvasGap = z.object({
  node: z.string(),
  type: z.string(),
  reason: z.string(),
  nodeId: z.string().nullable(),
  credential: z.object({ name: z.string(), type: z.string() }).optional(),
});

export type CanvasGap = z.output<typeof canvasGap>;
export type CanvasNote = z.output<typeof canvasNote>;
export type CanvasGroup = z.output<typeof canvasGroup>;

/** A list without the items that cannot be read: settings are any JSON. */
const listOf = <Schema extends z.ZodType>(item: Schema) =>
  z
    .array(item.nullable().catch(null))
    .catch([])
    .transform((items) => items.filter((entry) => entry !== null));

const bodyCanvas = z.object({
  notes: listOf(canvasNote),
  groups: listOf(canvasGroup),
  trigger: place.nullable().catch(null),
});

export type BodyCanvas = z.output<typeof bodyCanvas>;

/** What the canvas shows and runs ignore; stored in the flow's `settings.canvas`. */
export interface CanvasSettings {
  readonly notes: readonly CanvasNote[];
  readonly groups: readonly CanvasGroup[];
  /** The trigger card's position, if it was ever moved. */
  readonly trigger: z.output<typeof place> | null;
  /** The same for loops' bodies, by loop id. */
  readonly bodies: Readonly<Record<string, BodyCanvas>>;
  /** Outputs that runs of the draft use instead of running the node, by node id. */
  readonly pins: Readonly<Record<string, unknown>>;
  /** Named inputs to run the flow with. */
  readonly samples: readonly { readonly name: string; readonly data: unknown }[];
  /** For an imported flow: what is left to fix. */
  readonly imported: { readonly from: "n8n"; readonly gaps: readonly CanvasGap[] } | null;
}

export const canvasSettings = z.object({
  notes: listOf(canvasNote),
  groups: listOf(canvasGroup),
  trigger: place.nullable().catch(null),
  bodies: z.record(z.string(), bodyCanvas.catch({ notes: [], groups: [], trigger: null })).catch({}),
  pins: z.record(z.string(), z.unknown()).catch({}),
  samples: listOf(z.object({ name: z.string(), data: z.unknown() })),
  imported: z
    .object({ from: z.literal("n8n"), gaps: listOf(canvasGap) })
    .nullable()
    .catch(null),
});

/** Settings are any JSON: what cannot be parsed counts as missing. */
function parse(canvas: unknown): CanvasSettings {
  return canvasSettings.parse(typeof canvas === "object" && canvas !== null && !Array.isArray(canvas) ? canvas : {});
}

const parsed = new WeakMap<object, CanvasSettings>();
const none = parse({});

/** A draft's canvas settings; the same object while they are unchanged. */
export function canvasOf({ settings: { canvas } }: Pick<FlowDraft, "settings">): CanvasSettings {
  if (canvas === undefined) return none;
  const known = parsed.get(canvas);
  if (known !== undefined) return known;
  const read = parse(canvas);
  parsed.set(canvas, read);
  return read;
}

/** The draft with some of its canvas settings replaced; other keys stay. */
export function withCanvas(draft: FlowDraft, changes: Partial<CanvasSettings>): FlowDraft {
  const canvas: NonNullable<FlowDraft["settings"]["canvas"]> = JSON.parse(
    JSON.stringify({ ...draft.settings.canvas, ...changes }),
  );
  return { ...draft, settings: { ...draft.settings, canvas } };
}

/** The collapsed group that hides each hidden node. */
export function hiddenBy(groups: readonly CanvasGroup[]): ReadonlyMap<string, string> {
  return new Map(
    groups.filter((group) => group.collapsed).flatMap((group) => group.nodeIds.map((id) => [id, group.id] as const)),
  );
}

/** The canvas settings of loops' bodies, under the nodes' new ids; nothing for nodes without any. */
export function renameBodies(
  bodies: CanvasSettings["bodies"],
  to: (id: string) => string | undefined,
): CanvasSettings["bodies"] {
  const renamed = Object.entries(bodies).flatMap(([id, { groups, ...body }]) => {
    const loopId = to(id);
    const own = groups.map((group) => ({ ...group, nodeIds: group.nodeIds.flatMap((nodeId) => to(nodeId) ?? []) }));
    return loopId === undefined ? [] : [[loopId, { ...body, groups: own }] as const];
  });
  return Object.fromEntries(renamed);
}
