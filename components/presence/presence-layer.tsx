import { Panel, useStore as useFlowStore, useReactFlow, ViewportPortal } from "@xyflow/react";
import { useEffect } from "react";
import { useStore } from "zustand";
import { motionMs, moveIntoView } from "#components/canvas/canvas-view.ts";
import { displayName, type Person } from "./people.ts";
import styles from "./presence.module.css";
import type { PresenceLink } from "./presence-link.ts";

/** The maximum number of outlines. */
const outlinesMax = 200;
const gap = 4;
const margin = 60;
const farZoom = 0.5;
const nobody: readonly Person[] = [];

/** Outlines others' selections with their names, and moves the view with a followed person. */
export default function PresenceLayer({ link }: { readonly link: PresenceLink }) {
  const people = useStore(link.store, (state) => state.people) ?? nobody;
  const following = useStore(link.store, (state) => state.following);
  const followed = people.find(({ userId }) => userId === following);
  const byNode = new Map<string, Person[]>();
  for (const person of people) {
    for (const id of person.selection) {
      const there = byNode.get(id);
      if (there !== undefined) there.push(person);
      else if (byNode.size < outlinesMax) byNode.set(id, [person]);
    }
  }
  return (
    <>
      {byNode.size > 0 && (
        <ViewportPortal>
          {[...byNode].map(([id, there]) => (
            <Outline key={id} id={id} people={there} />
          ))}
        </ViewportPortal>
      )}
      {followed !== undefined && <Following key={followed.userId} link={link} person={followed} />}
    </>
  );
}

/** The outline of one card; nothing if the card is not on this canvas. */
function Outline({ id, people }: { readonly id: string; readonly people: readonly Person[] }) {
  const box = useFlowStore(({ nodeLookup }) => {
    const node = nodeLookup.get(id);
    if (node === undefined) return null;
    const { x, y } = node.internals.positionAbsolute;
    const { width = 0, height = 0 } = { ...node, ...node.measured };
    return `${x} ${y} ${width} ${height}`;
  });
  const isFar = useFlowStore(({ transform }) => transform[2] < farZoom);
  if (box === null) return null;
  const [x = 0, y = 0, width = 0, height = 0] = box.split(" ").map(Number);
  return (
    <div
      className={`${styles.person} ${styles.outline}`}
      data-colour={people[0]?.colour}
      data-presence={id}
      // The presence menu has the same information as text.
      aria-hidden="true"
      data-far={isFar || undefined}
      style={{
        transform: `translate(${x - gap}px, ${y - gap}px)`,
        width: width + 2 * gap,
        height: height + 2 * gap,
      }}
    >
      <div className={styles.names}>
        {people.slice(0, 3).map((person) => (
          <span key={person.userId} className={`${styles.person} ${styles.name}`} data-colour={person.colour}>
            {person.isYou ? "You" : person.name}
          </span>
        ))}
        {people.length > 3 && <span className={styles.name}>+{people.length - 3}</span>}
      </div>
    </div>
  );
}

interface FollowingProps {
  readonly link: PresenceLink;
  readonly person: Person;
}

/** Keeps a person's selection in view until the user moves the view or edits. The page shows their level. */
function Following({ link, person }: FollowingProps) {
  const { getNodes, getNodesBounds, getViewport, setViewport, fitBounds, viewportInitialized } = useReactFlow();
  const canvas = useFlowStore(({ domNode }) => domNode);
  const width = useFlowStore((state) => state.width);
  const height = useFlowStore((state) => state.height);
  const focus = person.focus.join("\n");
  // A node that was just added there is drawn here only once it is saved.
  const isDrawn = useFlowStore(({ nodeLookup }) => person.focus.some((id) => nodeLookup.has(id)));
  useEffect(() => {
    const ids = new Set(focus.split("\n"));
    if (!viewportInitialized || width === 0 || !isDrawn) return;
    const nodes = getNodes().filter(({ id }) => ids.has(id));
    const box = getNodesBounds(nodes);
    const view = getViewport();
    const isTooLarge = box.width * view.zoom > width - 2 * margin || box.height * view.zoom > height - 2 * margin;
    const moved = isTooLarge ? null : moveIntoView(box, view, { width, height }, margin);
    if (isTooLarge) void fitBounds(box, { duration: motionMs(), padding: 0.1 });
    else if (moved !== null) void setViewport(moved, { duration: motionMs() });
  }, [
    focus,
    isDrawn,
    width,
    height,
    viewportInitialized,
    getNodes,
    getNodesBounds,
    getViewport,
    setViewport,
    fitBounds,
  ]);
  useEffect(() => {
    const stop = () => link.follow(null);
    canvas?.addEventListener("pointerdown", stop);
    canvas?.addEventListener("wheel", stop, { passive: true });
    return () => {
      canvas?.removeEventListener("pointerdown", stop);
      canvas?.removeEventListener("wheel", stop);
    };
  }, [canvas, link]);
  return (
    <>
      <div className={`${styles.person} ${styles.frame}`} data-colour={person.colour} />
      <Panel position="top-center">
        <div className={`${styles.person} ${styles.following}`} data-colour={person.colour}>
          Following {person.isYou ? "your other tab" : displayName(person)}
          <button type="button" className={`${styles.stop} nodrag nopan`} onClick={() => link.follow(null)}>
            Stop
          </button>
        </div>
      </Panel>
    </>
  );
}
