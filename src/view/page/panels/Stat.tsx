/** Numbers in large type. */
import { type DisplayValueAlignmentFactors, type FieldDisplay, getDisplayValueAlignmentFactors, VizOrientation } from "@grafana/data";
import type { BigValueColorMode, BigValueGraphMode, BigValueJustifyMode, BigValueTextMode } from "@grafana/ui";
import { BigValue, VizRepeater } from "@grafana/ui";
import { fieldConfigOf } from "../../reading/fields";
import { calculated } from "../../reading/read";
import { optionsOf, useLook } from "../look";
import type { PanelProps } from "./props";

interface Options {
  colorMode: BigValueColorMode;
  graphMode: BigValueGraphMode;
  justifyMode: BigValueJustifyMode;
  textMode: BigValueTextMode;
  orientation: VizOrientation;
  wideLayout: boolean;
}

/** The padding in pixels that the package gives a number of this height, and Grafana 12.3 does not. The size of the number depends on it. */
const paddingOf = (height: number) => (height + 24 > 100 ? 12 : 8);

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
        <div style={{ margin: -paddingOf(height) }}>
          <BigValue
            value={value.display}
            count={count}
            width={width + 2 * paddingOf(height)}
            height={height + 2 * paddingOf(height)}
            alignmentFactors={alignmentFactors}
            colorMode={options.colorMode}
            graphMode={options.graphMode}
            justifyMode={options.justifyMode}
            textMode={options.textMode}
            disableWideLayout={!options.wideLayout}
            theme={look.theme}
          />
        </div>
      )}
    />
  );
}
