import { Switch, Textarea, TextInput } from "@mantine/core";
import { useAccess } from "#components/api/use-api.ts";
import { changeDetails } from "#components/editor/commands/change.ts";
import { useEditor, useLevel } from "#components/editor/state/editor-context.ts";
import { type FlowSettings, flowLimits } from "#lib/engine/flow.ts";
import { ownToolPrefix, toolNameFrom, toolNamePattern } from "#lib/engine/offers/tool-name.ts";
import { InputField } from "./input-field.tsx";

type Offer = NonNullable<FlowSettings["mcp"]>;

/** Whether assistants find the flow as a tool, and what they read of it. */
export default function OfferFields() {
  const editor = useEditor();
  const { name: flowName, settings } = useLevel((level) => level);
  const refusal = useAccess().refusal("flows:write");
  const offer = settings.mcp ?? {};
  const change = (next: Offer, gesture?: string) => {
    const kept = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== "" && value !== undefined));
    editor.change("Offer to assistants", changeDetails({ settings: { ...settings, mcp: kept } }), gesture);
  };
  const leave = () => editor.endGesture();
  const { name = "", description = "", expose = false } = offer;
  const usual = toolNameFrom(flowName);
  const isSound = name === "" || (toolNamePattern.test(name) && !name.startsWith(ownToolPrefix));
  return (
    <>
      <Switch
        label="Offer to assistants"
        description="While the flow is active, assistants connected to this workspace can run it as a tool."
        checked={expose}
        disabled={refusal !== null}
        onChange={({ currentTarget: { checked } }) => change({ ...offer, expose: checked })}
      />
      {expose && (
        <>
          <TextInput
            label="Tool name"
            description="Letters a-z, digits, _ and -."
            placeholder={usual}
            value={name}
            maxLength={64}
            disabled={refusal !== null}
            error={isSound ? undefined : `1 to 64 letters a-z, digits, _ or -, not beginning with ${ownToolPrefix}`}
            onChange={({ currentTarget: { value } }) => change({ ...offer, name: value }, "mcp-name")}
            onBlur={leave}
          />
          <Textarea
            label="What it is for"
            description="Assistants decide by this whether to use it. The flow’s description by default."
            value={description}
            maxLength={flowLimits.offerCharactersMax}
            disabled={refusal !== null}
            autosize
            minRows={2}
            maxRows={6}
            onChange={({ currentTarget: { value } }) => change({ ...offer, description: value }, "mcp-description")}
            onBlur={leave}
          />
          <InputField isReadOnly={refusal !== null} />
        </>
      )}
    </>
  );
}
