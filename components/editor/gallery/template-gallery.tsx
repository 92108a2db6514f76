"use client";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { FilterBar } from "#components/list/filter-bar.tsx";
import { NothingFound } from "#components/list/list-states.tsx";
import { useSteady } from "#components/list/use-steady.ts";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import type { ListedTemplate, TemplateCategory } from "#lib/contract/templates.ts";
import { TemplateCards } from "./template-cards.tsx";
import styles from "./template-gallery.module.css";
import { categoryWords, templateQueries } from "./template-queries.ts";

const categories = Object.entries(categoryWords) as [TemplateCategory, string][];

/** All templates by subject, with a search. */
export function TemplateGallery() {
  const { read, change } = useUrlState();
  const search = read("search") ?? "";
  const category = read("category");
  const found = useSteady(useQuery(templateQueries.list(useApi(), search)));
  if (found.isError && found.data === undefined) {
    return (
      <FailureNotice
        title="The templates could not be loaded"
        error={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  }
  const items = found.data?.items.filter((template) => category === undefined || template.category === category);
  return (
    <section aria-labelledby="templates">
      <h2 id="templates" className={styles.heading}>
        Start from a template
      </h2>
      <FilterBar
        search={{ label: "Search templates", value: search }}
        filters={[
          {
            name: "category",
            label: "Category",
            any: "Any category",
            options: categories.map(([value, label]) => ({ value, label })),
            value: category,
          },
        ]}
        onChange={change}
      />
      {items?.length === 0 && (
        <NothingFound
          what="No templates match. Start from scratch, or try fewer words."
          onClear={() => change({ search: null, category: null })}
        />
      )}
      {items === undefined ? (
        <CardSkeletons />
      ) : found.data?.search === "" ? (
        <Subjects items={items} />
      ) : (
        <TemplateCards templates={items} />
      )}
    </section>
  );
}

function Subjects({ items }: { readonly items: readonly ListedTemplate[] }) {
  return (
    <div className={styles.subjects}>
      {categories.map(([category, label]) => {
        const its = items.filter((template) => template.category === category);
        return (
          its.length > 0 && (
            <section key={category} aria-label={label}>
              <h3 className={styles.subject}>{label}</h3>
              <TemplateCards templates={its} />
            </section>
          )
        );
      })}
    </div>
  );
}

const skeletons = Array.from({ length: 12 }, (_, index) => index);

function CardSkeletons() {
  return (
    <div className={styles.cards} aria-hidden="true">
      {skeletons.map((at) => (
        <Skeleton key={at} height={144} radius="lg" />
      ))}
    </div>
  );
}
