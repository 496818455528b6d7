/** The text of a panel without data. */
import type { Panel } from "../../reading/panel";
import { emptyText } from "../../reading/read";
import { useLook } from "../look";

export function Empty({ panel, width, height }: { panel: Panel; width: number; height: number }) {
  const { theme } = useLook();
  return (
    <div
      style={{
        width,
        height,
        display: "flex",
        alignItems: "center",
        justifyContent: "center",
        textAlign: "center",
        fontSize: theme.typography.size.lg,
        color: theme.colors.text.secondary,
      }}
    >
      {emptyText(panel.type, panel.fieldConfig ?? { defaults: {} })}
    </div>
  );
}
