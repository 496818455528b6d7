/** Log lines. */
import { dateTimeFormat } from "@grafana/data";
import { ScrollContainer } from "@grafana/ui";
import { sortedLines } from "../../reading/read";
import { optionsOf, useLook } from "../look";
import { Empty } from "./Empty";
import type { PanelProps } from "./props";

interface Options {
  showTime?: boolean;
  /** Whether lines show their labels, without those that all lines have in common. */
  showLabels?: boolean;
  wrapLogMessage?: boolean;
}

export function LogsPanel({ panel, frames, width, height }: PanelProps) {
  const { theme, timeZone } = useLook();
  const { showTime = false, showLabels = false, wrapLogMessage = false } = optionsOf<Options>(panel);
  const lines = sortedLines(frames, panel);
  if (lines.length === 0) return <Empty panel={panel} width={width} height={height} />;
  const uniqueOf = uniqueLabels(lines.map(({ labels }) => labels));
  const format = "YYYY-MM-DD HH:mm:ss.SSS";
  return (
    <div style={{ width, height }}>
      <ScrollContainer>
        {lines.map(({ time, line, labels }, index) => (
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
            {/* The menu of a line in Grafana. A thousand icons of the library would each load themselves. */}
            <span style={{ flex: "none", width: 16, textAlign: "center", fontFamily: theme.typography.fontFamily, fontWeight: 700 }}>
              ⋮
            </span>
            <div style={{ whiteSpace: wrapLogMessage ? "pre-wrap" : "pre", overflowWrap: "anywhere", wordBreak: "break-all" }}>
              {showTime && (
                <span style={{ color: theme.colors.text.disabled, marginRight: 12 }}>
                  {dateTimeFormat(Number(time / 1_000_000n), { timeZone, format })}
                </span>
              )}
              {showLabels &&
                uniqueOf(labels).map((label) => (
                  <span key={label} style={{ ...chip, background: theme.colors.background.secondary }}>
                    {label}
                  </span>
                ))}
              {line}
            </div>
          </div>
        ))}
      </ScrollContainer>
    </div>
  );
}

const chip = { fontSize: 10, padding: "1px 4px", marginRight: 6, borderRadius: 2 };

/** The labels of a line that not all lines share. */
function uniqueLabels(all: readonly Record<string, string>[]): (labels: Record<string, string>) => string[] {
  const isCommon = (name: string, value: string) => all.every((labels) => labels[name] === value);
  const common = new Map<string, boolean>();
  return (labels) =>
    Object.entries(labels).flatMap(([name, value]) => {
      const text = `${name}=${value}`;
      if (!common.has(text)) common.set(text, isCommon(name, value));
      return common.get(text) ? [] : [text];
    });
}
