/** Writes the variables of names and links: those that a field has, the time range, and the dashboard's (public/app/features/templating). */
import type { DataFrame, Field, ScopedVars } from "@grafana/data";
import type { Look } from "./fields";
import { grafana } from "./library";

/** The field, and the row or the point to which a link belongs. */
interface Context {
  frame: DataFrame;
  field: Field;
  rowIndex?: number;
}

/** A function that writes the variables of a text, by default with the format of the function's last argument. An unknown one stays. */
export const replacing =
  (look: Look) =>
  (text: string, scopedVars?: ScopedVars, format?: unknown): string =>
    text.replace(/\$\{([\w.[\]]+?)(?::(\w+))?\}/g, (all, name: string, wanted = format) => {
      const own = name.startsWith("__") ? ofContext(name, scopedVars?.__dataContext?.value, look) : undefined;
      if (own !== undefined) return encoded([own], wanted);
      const values = look.selected?.[name];
      if (!values) return all;
      const selected = values.length > 0 ? values : ["$__all"];
      // C's value of All.
      if (wanted === "pipe") return values.join("|") || ".*";
      return wanted === "queryparam"
        ? selected.map((value) => `var-${name}=${encodeURIComponent(value)}`).join("&")
        : encoded(selected, wanted);
    });

const encoded = (values: readonly string[], format: unknown) =>
  format === "percentencode" ? values.map(encodeURIComponent).join() : values.join();

function ofContext(name: string, context: Context | undefined, { range }: Look): string | undefined {
  if (name === "__url_time_range") return range && `from=${range.from}&to=${range.to}`;
  if (name === "__from" || name === "__to") return range && `${range[name === "__from" ? "from" : "to"]}`;
  if (!context) return undefined;
  const { frame, field, rowIndex = 0 } = context;
  const textOf = (each: Field | undefined) =>
    each && grafana.formattedValueToString((each.display ?? grafana.getDisplayProcessor())(each.values[rowIndex]));
  const [, label] = /^__field\.labels\.(\w+)$/.exec(name) ?? [];
  if (label) return field.labels?.[label] ?? "";
  const [, index] = /^__data\.fields\[(\d+)\]\.text$/.exec(name) ?? [];
  if (index) return textOf(frame.fields[Number(index)]);
  // Of series, the name is "Value".
  if (name === "__field.name") return field.name;
  if (name === "__field.displayName") return grafana.getFieldDisplayName(field, frame);
  if (name === "__value.text") return textOf(field);
  if (name === "__value.time") return `${frame.fields.find(({ type }) => type === grafana.FieldType.time)?.values[rowIndex]}`;
  return undefined;
}
