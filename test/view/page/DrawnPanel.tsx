/** One panel in its frame: waits for its data, prepares and draws it, and tells its state. */
import { type DataFrame, LoadingState } from "@grafana/data";
import { ErrorBoundary, PanelChrome } from "@grafana/ui";
import { useEffect, useState } from "react";
import { fieldConfigOf } from "../reading/fields";
import type { Panel } from "../reading/panel";
import { prepare } from "../reading/prepare";
import { readers } from "../reading/read";
import { type SharedLook, useLook } from "./look";
import { panelTypes } from "./panels";

/** The result of a panel's queries. Without frames and error, they are under way for the first time. */
export interface PanelData {
  /** Before the panel's transformations. */
  frames?: DataFrame[];
  /** The message in the panel's red corner. */
  error?: string;
  /** Queries are under way; the frames are those of the time before. */
  loading?: boolean;
}

interface Prepared {
  /** The frames and the look from which these were prepared. */
  from: unknown[];
  frames: DataFrame[];
  error?: string;
}

interface Props {
  panel: Panel;
  /** With the selected values in it. */
  title?: string | undefined;
  data: PanelData;
  width: number;
  height: number;
}

const none: DataFrame[] = [];

export function DrawnPanel({ panel, title = panel.title, data, width, height }: Props) {
  const look = useLook();
  const [prepared, setPrepared] = useState<Prepared>();
  const source = data.frames ?? (data.error === undefined ? undefined : none);
  useEffect(() => {
    let current = true;
    if (!source) return;
    const from = [source, look, panel];
    prepare(panel, source, look).then(
      (frames) => current && setPrepared({ from, frames }),
      (error: Error) => current && setPrepared({ from, frames: none, error: error.message }),
    );
    return () => {
      current = false;
    };
  }, [source, look, panel]);

  const Type = panelTypes[panel.type];
  const error = data.error ?? prepared?.error ?? (Type ? undefined : `No drawing for panels of type ${panel.type}`);
  const waits = data.loading || !source || prepared?.from[0] !== source || prepared?.from[1] !== look || prepared?.from[2] !== panel;
  const state = waits ? "loading" : error !== undefined ? "error" : isEmpty(panel, prepared.frames, look) ? "empty" : "done";
  return (
    <div data-panel-id={panel.id} data-panel-type={panel.type} data-panel-state={state} style={{ width, height }}>
      <PanelChrome
        width={width}
        height={height}
        {...(title ? { title } : { hoverHeader: true })}
        {...(panel.description && { description: panel.description })}
        {...(error !== undefined && { statusMessage: error })}
        {...(waits && { loadingState: LoadingState.Loading })}
      >
        {(width, height) =>
          prepared &&
          Type && (
            <ErrorBoundary onError={(error) => setPrepared({ ...prepared, error: error.message })}>
              {({ error }) => (error ? null : <Type panel={panel} frames={prepared.frames} width={width} height={height} />)}
            </ErrorBoundary>
          )
        }
      </PanelChrome>
    </div>
  );
}

function isEmpty(panel: Panel, frames: DataFrame[], look: SharedLook): boolean {
  if (frames.every(({ length }) => length === 0)) return true;
  if (!["stat", "bargauge", "piechart"].includes(panel.type)) return false;
  return readers[panel.type]?.(frames, { panel, fieldConfig: fieldConfigOf(panel), step: 0, look }).kind === "nothing";
}
