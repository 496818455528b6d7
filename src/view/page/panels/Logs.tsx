/** Log lines. */
import { dateTimeFormat } from "@grafana/data";
import { Icon, ScrollContainer } from "@grafana/ui";
import { sortedLines } from "../../reading/read";
import { optionsOf, useLook } from "../look";
import { Empty } from "./Empty";
import type { PanelProps } from "./props";

interface Options {
  showTime?: boolean;
  wrapLogMessage?: boolean;
}

export function LogsPanel({ panel, frames, width, height }: PanelProps) {
  const { theme, timeZone } = useLook();
  const { showTime = false, wrapLogMessage = false } = optionsOf<Options>(panel);
  const lines = sortedLines(frames, panel);
  if (lines.length === 0) return <Empty panel={panel} width={width} height={height} />;
  const format = "YYYY-MM-DD HH:mm:ss.SSS";
  return (
    <div style={{ width, height }}>
      <ScrollContainer>
        {lines.map(({ time, line }, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: equal lines at equal times have no other key
            key={index}
            style={{
              display: "flex",
              fontFamily: theme.typography.fontFamilyMonospace,
              fontSize: theme.typography.fontSize,
              lineHeight: "22px",
              padding: "2px 0 2px 4px",
            }}
          >
            <Icon name="ellipsis-v" style={{ margin: "3px 3px 0 0" }} />
            <div style={{ whiteSpace: wrapLogMessage ? "pre-wrap" : "pre", overflowWrap: "anywhere", wordBreak: "break-all" }}>
              {showTime && (
                <span style={{ color: theme.colors.text.disabled, marginRight: 12 }}>
                  {dateTimeFormat(Number(time / 1_000_000n), { timeZone, format })}
                </span>
              )}
              {line}
            </div>
          </div>
        ))}
      </ScrollContainer>
    </div>
  );
}
