import { Input, Skeleton, TagsInput, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { useApi } from "#components/api/use-api.ts";
import { changeDetails } from "#components/editor/commands/change.ts";
import { flowQueries } from "#components/flows/flow-queries.ts";
import { DurationInput } from "#components/form/duration-input.tsx";
import { FormContext } from "#components/form/form-context.ts";
import { lazyPart } from "#components/page/lazy-part.tsx";
import { flowLimits, triggerSource } from "#lib/engine/flow.ts";
import { useEditor, useLevel } from "../state/editor-context.ts";
import { PaneHead } from "./pane-head.tsx";
import styles from "./side-pane.module.css";
import { useNodeForm } from "./use-node-form.ts";
import { VariablesField } from "./variables-field.tsx";

const OfferFields = lazyPart(() => import("./offer/offer-fields.tsx"));

/** The default time limit of a run. */
const defaultTimeoutMs = 300_000;

/** The flow's settings: its description, tags, variables, run limits, and whether assistants may run it. */
export function FlowPanel() {
  const editor = useEditor();
  const { description, tags, variables, settings } = useLevel((level) => level);
  const { form } = useNodeForm(triggerSource);
  // Those of other flows are offered, so that one subject does not get two names.
  const known = useQuery(flowQueries.tags(useApi())).data?.map(({ tag }) => tag);
  const leave = () => editor.endGesture();
  return (
    <FormContext value={form}>
      <PaneHead title="Settings" />
      <div className={`${styles.body} ${styles.stack}`} style={{ alignContent: "start" }}>
        <Textarea
          label="Description"
          attributes={{ input: { dir: "auto" } }}
          value={description}
          maxLength={flowLimits.descriptionCharactersMax}
          onChange={(event) => {
            const { value } = event.currentTarget;
            editor.change("Describe the flow", changeDetails({ description: value }), "description");
          }}
          onBlur={leave}
          autosize
          minRows={2}
          maxRows={8}
        />
        <TagsInput
          label="Tags"
          value={[...tags]}
          data={known ?? []}
          maxTags={flowLimits.tagsMax}
          onChange={(next) =>
            editor.change(
              "Change the tags",
              changeDetails({ tags: next.map((tag) => tag.slice(0, flowLimits.tagCharactersMax)) }),
            )
          }
          placeholder={tags.length === 0 ? "Add a tag" : ""}
        />
        <VariablesField
          value={variables}
          onChange={(next) => editor.change("Change the variables", changeDetails({ variables: next }), "variables")}
          onLeave={leave}
        />
        <Input.Wrapper
          id="run-time-limit"
          label="Run time limit"
          description="Time spent waiting does not count."
          inputWrapperOrder={["label", "description", "input"]}
        >
          <DurationInput
            id="run-time-limit"
            label="Run time limit"
            value={settings.timeoutMs}
            fallback={defaultTimeoutMs}
            onChange={(value) => {
              const { timeoutMs: _, ...rest } = settings;
              const next = value !== undefined && value >= 1 ? { ...rest, timeoutMs: value } : rest;
              editor.change("Change the time limit", changeDetails({ settings: next }), "timeoutMs");
            }}
            onLeave={leave}
          />
        </Input.Wrapper>
        <Suspense fallback={<Skeleton height={48} />}>
          <OfferFields />
        </Suspense>
      </div>
    </FormContext>
  );
}
