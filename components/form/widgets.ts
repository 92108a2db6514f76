import type { ComponentType } from "react";
import type { FieldKind } from "./field-spec.ts";
import type { WidgetProps } from "./widget.ts";
import { BooleanWidget } from "./widgets/boolean-widget.tsx";
import { ChoiceWidget } from "./widgets/choice-widget.tsx";
import { CodeWidget } from "./widgets/code-widget.tsx";
import { CredentialWidget } from "./widgets/credential-widget.tsx";
import { FlowWidget } from "./widgets/flow-widget.tsx";
import { JsonWidget } from "./widgets/json-widget.tsx";
import { ListWidget } from "./widgets/list-widget.tsx";
import { MapWidget } from "./widgets/map-widget.tsx";
import { NumberWidget } from "./widgets/number-widget.tsx";
import { ObjectWidget } from "./widgets/object-widget.tsx";
import { PlainWidget } from "./widgets/plain-widget.tsx";
import { ProgramWidget } from "./widgets/program-widget.tsx";
import { TextWidget } from "./widgets/text-widget.tsx";

/** The widget of each kind of field. */
export const widgets: Readonly<Record<FieldKind, ComponentType<WidgetProps>>> = {
  text: TextWidget,
  plain: PlainWidget,
  program: ProgramWidget,
  code: CodeWidget,
  number: NumberWidget,
  boolean: BooleanWidget,
  choice: ChoiceWidget,
  map: MapWidget,
  list: ListWidget,
  object: ObjectWidget,
  credential: CredentialWidget,
  flow: FlowWidget,
  json: JsonWidget,
};
