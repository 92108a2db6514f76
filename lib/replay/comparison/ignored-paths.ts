interface Branch {
  /** By the next part of a pattern; `*` matches any one key. */
  readonly next: Map<string, Branch>;
  isEnd: boolean;
}

/** The positions in the patterns that a path has reached; "ignored" once a pattern has ended. */
export type Followed = readonly Branch[] | "ignored";

/** Patterns of paths that are not compared, followed one key after the other: only those that may still match cost. */
export class IgnoredPaths {
  readonly #root: Branch = newBranch();

  constructor(patterns: readonly string[]) {
    for (const pattern of patterns) {
      let at = this.#root;
      for (const part of pattern.replace(/\[(\d+|\*)\]/g, ".$1").split(".")) {
        const next = at.next.get(part) ?? newBranch();
        at.next.set(part, next);
        at = next;
      }
      at.isEnd = true;
    }
  }

  /** Where a whole path leads. */
  follow(path: readonly string[]): Followed {
    return path.reduce<Followed>((followed, key) => this.step(followed, key), [this.#root]);
  }

  /** Where one more key leads. Keys may have dots in them. */
  step(followed: Followed, key: string): Followed {
    if (followed === "ignored" || followed.length === 0) return followed;
    const parts = key.split(".");
    const reached = new Set<Branch>();
    for (const branch of followed) {
      const any = branch.next.get("*");
      const named = parts.reduce<Branch | undefined>((at, part) => at?.next.get(part), branch);
      if (any?.isEnd || named?.isEnd) return "ignored";
      if (any !== undefined) reached.add(any);
      if (named !== undefined) reached.add(named);
    }
    return [...reached];
  }
}

function newBranch(): Branch {
  return { next: new Map(), isEnd: false };
}
