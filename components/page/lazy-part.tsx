"use client";
import { Button } from "@mantine/core";
import { Component, type ComponentType, lazy, type ReactNode, useState } from "react";
import { createPortal } from "react-dom";
import { FailureNotice } from "./failure-notice.tsx";
import styles from "./notice.module.css";

interface LazyPartOptions<Props> {
  /** What is shown instead of a part that could not be loaded; `retry` loads it again. Without it, a notice says so. */
  readonly missing?: (props: Props, retry: () => void) => ReactNode;
}

/**
 * Like React's `lazy`, but a part that could not be loaded, such as offline, offers to try again in its place; a dialog,
 * which has `onClose`, above the page. React would keep the failure, and replace the page.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  { missing }: LazyPartOptions<Props> = {},
): ComponentType<Props> {
  let Loaded: ComponentType<Props> = lazy(load) as unknown as ComponentType<Props>;
  const renew = () => {
    Loaded = lazy(load) as unknown as ComponentType<Props>;
  };
  return function LazyPart(props: Props) {
    const [attempt, setAttempt] = useState(0);
    const retry = () => setAttempt(attempt + 1);
    // Once the server was updated, only a new page asks for the files that it has. Not before the server answers: the
    // browser would show an error of its own.
    const reload = () => void fetch("").then(() => location.reload(), retry);
    const notice = (error: Error) => <NotLoaded error={error} onRetry={attempt === 0 ? retry : reload} {...props} />;
    return (
      <LoadBoundary key={attempt} onFail={renew} missing={missing ? () => missing(props, retry) : notice}>
        <Loaded {...props} />
      </LoadBoundary>
    );
  };
}

interface NotLoadedProps {
  readonly error: Error;
  readonly onRetry: () => void;
  readonly onClose?: () => void;
}

function NotLoaded({ error, onRetry, onClose }: NotLoadedProps) {
  const notice = <FailureNotice title="This could not be loaded" error={error} onRetry={onRetry} />;
  if (onClose === undefined) return notice;
  // Like a dialog, outside the element that opens it, whose styles would apply.
  return createPortal(
    <div className={styles.above}>
      {notice}
      <Button variant="subtle" onClick={onClose}>
        Close
      </Button>
    </div>,
    document.body,
  );
}

interface LoadBoundaryProps {
  readonly children: ReactNode;
  readonly onFail: () => void;
  readonly missing: (error: Error) => ReactNode;
}

/** Catches the failure to load a part. All other errors are the page's. */
class LoadBoundary extends Component<LoadBoundaryProps, { readonly error: Error | null }> {
  override state = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override componentDidCatch(): void {
    this.props.onFail();
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    // The bundler's name for a file that could not be loaded.
    if ((error as Error).name !== "ChunkLoadError") throw error;
    return this.props.missing(error);
  }
}
