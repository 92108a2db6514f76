"use client";
import { UnstyledButton } from "@mantine/core";
import { IconStar, IconStarFilled } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useChange } from "#components/api/use-api.ts";
import styles from "./star-button.module.css";

interface StarButtonProps {
  readonly id: string;
  readonly name: string;
  /** The server's value. */
  readonly isFavorite: boolean;
}

/** Adds a flow to the user's favorites or removes it: optimistic, and reverted if the server refuses. */
export function StarButton({ id, name, isFavorite }: StarButtonProps) {
  const [isMarked, setMarked] = useState(isFavorite);
  useEffect(() => setMarked(isFavorite), [isFavorite]);
  const change = useChange({
    run: (api, isAdded: boolean) => api.call(isAdded ? "addFavorite" : "removeFavorite", { params: { id } }),
    stale: ["flows", "found"],
    failed: `${name} was not changed.`,
  });
  const Icon = isMarked ? IconStarFilled : IconStar;
  return (
    <UnstyledButton
      className={styles.star}
      aria-pressed={isMarked}
      aria-label={`Favorite: ${name}`}
      title={isMarked ? "Remove from favorites" : "Add to favorites"}
      disabled={change.isPending}
      onClick={() => {
        setMarked(!isMarked);
        change.mutate(!isMarked, { onError: () => setMarked(isMarked) });
      }}
    >
      <Icon size={16} aria-hidden="true" />
    </UnstyledButton>
  );
}
