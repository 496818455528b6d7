/** Numbers in large type. */
import { type DisplayValueAlignmentFactors, type FieldDisplay, getDisplayValueAlignmentFactors, VizOrientation } from "@grafana/data";
import type { VizTextDisplayOptions } from "@grafana/schema";
import type { BigValueColorMode, BigValueGraphMode, BigValueJustifyMode, BigValueTextMode } from "@grafana/ui";
import { BigValue, VizRepeater } from "@grafana/ui";
import { fieldConfigOf } from "../../reading/fields";
import { calculated } from "../../reading/read";
import { optionsOf, timeRangeOf, useLook } from "../look";
import type { PanelProps } from "./props";

interface Options {
  colorMode: BigValueColorMode;
  graphMode: BigValueGraphMode;
  justifyMode: BigValueJustifyMode;
  textMode: BigValueTextMode;
  orientation: VizOrientation;
  wideLayout: boolean;
  text?: VizTextDisplayOptions;
}

/** The panel's padding in pixels. Grafana 12.3 draws numbers in all of the panel. */
const padding = 8;

export function StatPanel({ panel, frames, width, height }: PanelProps) {
  const look = useLook();
  const options = optionsOf<Options>(panel);
  const getValues = () => calculated(frames, { panel, fieldConfig: fieldConfigOf(panel), look });
  return (
    <VizRepeater<FieldDisplay, DisplayValueAlignmentFactors>
      getValues={getValues}
      getAlignmentFactors={(values) => getDisplayValueAlignmentFactors(values)}
      width={width}
      height={height}
      source={frames}
      itemSpacing={3}
      renderCounter={0}
      autoGrid
      orientation={options.orientation ?? VizOrientation.Auto}
      renderValue={({ value, alignmentFactors, count, width, height }) => (
        <div style={{ margin: -padding }}>
          <BigValue
            value={value.display}
            {...(value.sparkline &&
              options.graphMode !== "none" && { sparkline: { ...value.sparkline, timeRange: timeRangeOf(look.range) } })}
            count={count}
            width={width + 2 * padding}
            height={height + 2 * padding}
            alignmentFactors={alignmentFactors}
            colorMode={options.colorMode}
            graphMode={options.graphMode}
            justifyMode={options.justifyMode}
            textMode={options.textMode}
            {...(options.text && { text: options.text })}
            disableWideLayout={!options.wideLayout}
            theme={look.theme}
          />
        </div>
      )}
    />
  );
}
