import { Menu } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { initialsOf } from "#components/shell/account-menu.tsx";
import { displayName, type Person } from "./people.ts";
import styles from "./presence.module.css";
import type { PresenceLink } from "./presence-link.ts";

export interface BarProps {
  readonly link: PresenceLink;
  /** The name of a canvas item; null if it is not there (any more). */
  readonly nameOf: (id: string) => string | null;
}

const facesMax = 4;
const announceMs = 2_000;

/** Who else is in the flow, where they are, and following them. */
export default function PresenceBar({ link, nameOf }: BarProps) {
  const people = useStore(link.store, (state) => state.people) ?? [];
  const others = useStore(link.store, (state) => state.others);
  const following = useStore(link.store, (state) => state.following);
  const words = people.map(displayName).join(", ");
  return (
    <>
      <Announcement words={words} />
      {people.length > 0 && (
        <Menu position="bottom-end" width={280}>
          <Menu.Target>
            <button
              type="button"
              className={styles.here}
              aria-label={`Also here: ${words}`}
              title={`Also here: ${words}`}
            >
              {people.slice(0, facesMax).map((person) => (
                <Face key={person.userId} person={person} />
              ))}
              {people.length > facesMax && (
                <span className={styles.more} aria-hidden="true">
                  +{people.length - facesMax}
                </span>
              )}
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>Also here</Menu.Label>
            {people.map((person) => {
              const isFollowed = person.userId === following;
              const Icon = isFollowed ? IconEyeOff : IconEye;
              return (
                <Menu.Item
                  key={person.userId}
                  leftSection={<Face person={person} />}
                  rightSection={<Icon size={16} aria-hidden="true" />}
                  onClick={() => link.follow(isFollowed ? null : person.userId)}
                >
                  {isFollowed ? "Stop following" : "Follow"} {person.isYou ? "your other tab" : person.name}
                  <span className={styles.where}>{whereIs(person, nameOf)}</span>
                </Menu.Item>
              );
            })}
            {others > 0 && <Menu.Label>And {others === 1 ? "1 more tab" : `${others} more tabs`}</Menu.Label>}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

function Face({ person }: { readonly person: Person }) {
  return (
    <span className={`${styles.person} ${styles.face}`} data-colour={person.colour} aria-hidden="true">
      {person.isYou ? "You" : initialsOf(person.name)}
    </span>
  );
}

/** "On Fetch prices", "On Fetch prices and 2 more", "In Each order"; unnamed items are only counted. */
function whereIs({ focus, within }: Pick<Person, "focus" | "within">, nameOf: BarProps["nameOf"]): string {
  const names = focus.flatMap((id) => nameOf(id) ?? []);
  const more = focus.length - 1;
  const loop = within === null ? null : nameOf(within);
  if (focus.length === 0) return loop === null ? "Nothing selected" : `In ${loop}`;
  if (names.length === 0) return `${focus.length} selected`;
  return more === 0 ? `On ${names[0]}` : `On ${names[0]} and ${more} more`;
}

/** Announces who is present, debounced; never their selections. */
function Announcement({ words }: { readonly words: string }) {
  const [announcement, setAnnouncement] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAnnouncement(words), announceMs);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <span className="unseen" role="status" aria-label="Presence">
      {announcement !== "" && `Also here: ${announcement}`}
    </span>
  );
}
