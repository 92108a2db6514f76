import { Component, type ReactNode } from "react";

interface LoadBoundaryProps {
  readonly children: ReactNode;
  readonly onFail: () => void;
}

interface LoadBoundaryState {
  readonly error: unknown;
}

/** What to say then: the bundler gives a file that failed once no second chance. */
export const notLoaded = "This could not be loaded. Check your connection, then reload the page.";

/** Keeps the editor when code that it loads later cannot be loaded, such as offline. Other errors are the page's. */
export class LoadBoundary extends Component<LoadBoundaryProps, LoadBoundaryState> {
  override state: LoadBoundaryState = { error: null };

  static getDerivedStateFromError(error: unknown): LoadBoundaryState {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    if (isLoadError(error)) this.props.onFail();
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (!isLoadError(error)) throw error;
    return null;
  }
}

function isLoadError(error: unknown): boolean {
  return (
    error instanceof Error && (error.name === "ChunkLoadError" || /load chunk|imported module/.test(error.message))
  );
}
