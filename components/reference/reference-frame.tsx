"use client";

import { Button, CloseButton, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useParams, useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "#components/page/link.tsx";
import { findAll } from "#lib/search-words.ts";
import type { OperationLink } from "./operation.ts";
import styles from "./reference-frame.module.css";
import { MethodMark } from "./words.tsx";

interface ReferenceFrameProps {
  readonly links: readonly OperationLink[];
  readonly children: ReactNode;
}

/** The reference: its index beside the page. `/reference#createFlow` leads to that operation as well. */
export function ReferenceFrame({ links, children }: ReferenceFrameProps) {
  const { operation } = useParams<{ operation?: string }>();
  const router = useRouter();
  useEffect(() => {
    const follow = () => {
      const id = window.location.hash.slice(1);
      if (links.some((link) => link.id === id)) router.replace(`/reference/${id}`);
    };
    follow();
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, [links, router]);
  return (
    <div className={styles.frame}>
      <ReferenceIndex links={links} here={operation} />
      <div className={styles.page}>{children}</div>
    </div>
  );
}

interface ReferenceIndexProps {
  readonly links: readonly OperationLink[];
  /** The current operation's id; undefined for none. */
  readonly here: string | undefined;
}

/** Every operation by tag, with a search. `/` goes to the search, Enter opens the first match. */
function ReferenceIndex({ links, here }: ReferenceIndexProps) {
  const [search, setSearch] = useState("");
  /** Without room beside the page, the list opens on demand. */
  const [isOpen, setOpen] = useState(false);
  const router = useRouter();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const found = findOperations(links, search);
  useSlash(field);
  useEffect(() => {
    const current = here === undefined ? null : list.current?.querySelector(`[href$="/${here}"]`);
    current?.scrollIntoView({ block: "nearest" });
    setOpen(false);
  }, [here]);
  const find = (text: string) => {
    setSearch(text);
    setOpen(text !== "");
  };
  const openFirst = () => {
    const [first] = found;
    if (search !== "" && first !== undefined) router.push(`/reference/${first.id}`);
  };
  return (
    <nav aria-label="Operations" className={styles.index}>
      <div className={styles.all}>
        <TextInput
          ref={field}
          type="search"
          aria-label="Find an operation"
          placeholder="Find an operation  /"
          value={search}
          onChange={(event) => find(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && openFirst()}
          leftSection={<IconSearch size={16} aria-hidden="true" />}
          rightSection={
            search !== "" && <CloseButton size={20} aria-label="Clear the search" onClick={() => find("")} />
          }
        />
        <Button variant="default" className={styles.toggle} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          All operations
        </Button>
      </div>
      <div className={styles.groups} ref={list} data-open={isOpen || undefined}>
        {search === "" && (
          <Link href="/reference" className={styles.link} aria-current={here === undefined ? "page" : undefined}>
            Introduction
          </Link>
        )}
        <OperationGroups links={found} here={here} />
        <p className={styles.nothing} role="status">
          {found.length === 0 && `No operation has “${search}” in its name, method or path.`}
        </p>
      </div>
    </nav>
  );
}

/** `/` focuses the field, from everywhere but text fields. */
function useSlash(field: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const go = (event: KeyboardEvent) => {
      const at = event.target;
      const isTyping =
        at instanceof HTMLElement && (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName));
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    window.addEventListener("keydown", go);
    return () => window.removeEventListener("keydown", go);
  }, [field]);
}

/** The operations that have every word of the search in their summary, method, path, name or tag, the best first. */
export function findOperations(links: readonly OperationLink[], search: string): readonly OperationLink[] {
  return findAll(links, search, ({ id, method, path, summary, tag }) => [summary, `${method} ${path} ${id} ${tag}`]);
}

interface OperationGroupsProps {
  readonly links: readonly OperationLink[];
  /** The current operation's id; undefined for none. */
  readonly here: string | undefined;
}

/** Links to operations, under their tags. */
function OperationGroups({ links, here }: OperationGroupsProps) {
  const tags = [...new Set(links.map(({ tag }) => tag))];
  return tags.map((tag) => (
    <section key={tag}>
      <h2 className={styles.tag}>{tag}</h2>
      <ul className={styles.list}>
        {links
          .filter((link) => link.tag === tag)
          .map(({ id, method, path, summary }) => (
            <li key={id}>
              <Link
                href={`/reference/${id}`}
                className={styles.link}
                title={`${method} ${path}`}
                aria-current={id === here ? "page" : undefined}
              >
                <span className={styles.summary}>{summary}</span>
                <MethodMark method={method} isSmall />
              </Link>
            </li>
          ))}
      </ul>
    </section>
  ));
}
