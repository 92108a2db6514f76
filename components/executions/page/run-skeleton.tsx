import { Skeleton } from "@mantine/core";
import { createContext, type ReactNode, useContext } from "react";
import { CanvasFrame } from "#components/canvas/lazy-flow-canvas.tsx";
import styles from "./run-view.module.css";

/** A run's placeholder while it loads. */
export function RunSkeleton() {
  return (
    <div className={styles.view} aria-busy="true">
      <div className={styles.head}>
        <Skeleton height={12} width={40} />
        <Skeleton height={20} width={280} />
        <Skeleton height={12} width={360} />
      </div>
      <RunPartsSkeleton />
    </div>
  );
}

/** The run's picture and values while they load. */
export function RunPartsSkeleton() {
  return (
    <>
      <PictureSkeleton />
      <DataSkeleton />
    </>
  );
}

/** The run's values while they load. */
export function DataSkeleton() {
  return <Skeleton height={180} radius="lg" />;
}

/** The run's picture as the server has drawn it; null without one. */
export const FirstPictureContext = createContext<ReactNode>(null);

/** What a run's canvas shows while it loads: the picture as the server has drawn it, if there is one. */
export function CanvasSkeleton() {
  return useContext(FirstPictureContext) ?? <Skeleton height="100%" radius={0} />;
}

/** The run's picture while it loads. */
export function PictureSkeleton() {
  return (
    <CanvasFrame>
      <CanvasSkeleton />
    </CanvasFrame>
  );
}
