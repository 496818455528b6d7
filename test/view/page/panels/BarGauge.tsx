/** One bar for each number. */
import { type DisplayValueAlignmentFactors, type FieldDisplay, getDisplayValueAlignmentFactors, type VizOrientation } from "@grafana/data";
import type { BarGaugeDisplayMode, BarGaugeNamePlacement, BarGaugeValueMode, VizTextDisplayOptions } from "@grafana/schema";
import { BarGauge, VizRepeater } from "@grafana/ui";
import type { CSSProperties } from "react";
import { fieldConfigOf } from "../../reading/fields";
import { calculated } from "../../reading/read";
import { optionsOf, useLook } from "../look";
import type { PanelProps } from "./props";

interface Options {
  displayMode: BarGaugeDisplayMode;
  orientation: VizOrientation;
  showUnfilled: boolean;
  valueMode: BarGaugeValueMode;
  namePlacement: BarGaugeNamePlacement;
  minVizWidth: number;
  minVizHeight: number;
  maxVizHeight: number;
  text?: VizTextDisplayOptions;
}

const spacing = 10;

export function BarGaugePanel({ panel, frames, width, height }: PanelProps) {
  const look = useLook();
  const options = optionsOf<Options>(panel);
  const getValues = () => calculated(frames, { panel, fieldConfig: fieldConfigOf(panel), look });
  return (
    <div style={{ "--track": look.theme.colors.background.secondary } as CSSProperties}>
      <VizRepeater<FieldDisplay, DisplayValueAlignmentFactors>
        getValues={getValues}
        getAlignmentFactors={(values) => getDisplayValueAlignmentFactors(values)}
        width={width}
        height={height}
        source={frames}
        renderCounter={0}
        itemSpacing={spacing}
        orientation={options.orientation}
        minVizWidth={options.minVizWidth}
        minVizHeight={options.minVizHeight}
        maxVizHeight={options.maxVizHeight}
        renderValue={({ value: { field, display, view, colIndex }, count, ...place }) => (
          <BarGauge
            // A single bar without a name of its own has no title.
            value={count === 1 && !field.displayName ? { ...display, title: undefined } : display}
            field={field}
            {...(view && colIndex !== undefined && { display: view.getFieldDisplayProcessor(colIndex) })}
            {...place}
            itemSpacing={spacing}
            displayMode={options.displayMode}
            showUnfilled={options.showUnfilled}
            valueDisplayMode={options.valueMode}
            namePlacement={options.namePlacement}
            {...(options.text && { text: options.text })}
            theme={look.theme}
          />
        )}
      />
    </div>
  );
}
