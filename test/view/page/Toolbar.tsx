/** The lines above a dashboard's panels: breadcrumbs, variables, links, time range, refresh. */
import { dateTime, type IconName, type RawTimeRange, type SelectableValue, type TimeRange } from "@grafana/data";
import { Icon, LinkButton, MultiSelect, RefreshPicker, Select, TimeRangePicker, useTheme2 } from "@grafana/ui";
import type { DashboardModel } from "../../../src/dashboards/normalize";
import { type Range, type Variable, variablesOf } from "../reading/panel";

export interface ToolbarProps {
  model: DashboardModel;
  /** The title of the folder. */
  folder?: string | undefined;
  /** The address of the folder's page. */
  folderUrl?: string | undefined;
  /** Selected values by the variable's name. An empty list is "All". */
  selected: Readonly<Record<string, string[]>>;
  /** The values to select from. Default: the selected ones. */
  choices?: Readonly<Record<string, string[]>>;
  /** The range as the user wrote it, such as `now-24h`. Default: the absolute range. */
  raw?: RawTimeRange | undefined;
  onSelect?(name: string, values: string[]): void;
  onRange?(range: RawTimeRange): void;
  onRefresh?(): void;
  /** The interval of automatic refreshes, such as `5m`. Default: none. */
  interval?: string;
  onInterval?(interval: string): void;
  kiosk?: boolean;
}

const ignore = () => {};

export function Toolbar({ model, range, timeZone, folder, folderUrl, kiosk, ...props }: ToolbarProps & { range: Range; timeZone: string }) {
  const {
    selected,
    choices = {},
    raw,
    onSelect = ignore,
    onRange = ignore,
    onRefresh = ignore,
    interval = "",
    onInterval = ignore,
  } = props;
  const links = (model.links ?? []) as Link[];
  const [from, to] = [dateTime(range.from), dateTime(range.to)];
  const timeRange: TimeRange = { from, to, raw: raw ?? { from, to } };
  const absolute = (start: number, end: number) => onRange({ from: dateTime(start), to: dateTime(end) });
  const length = range.to - range.from;
  return (
    <>
      {!kiosk && (
        <Breadcrumbs parts={["Home", "Dashboards", ...(folder ? [folder] : []), model.title]} folder={folder} folderUrl={folderUrl} />
      )}
      <div style={{ display: "flex", flexWrap: "wrap", gap: 8, padding: 16, alignItems: "flex-start" }}>
        <div style={{ display: "flex", flexWrap: "wrap", gap: 8, flex: "1 1 0" }}>
          {variablesOf(model).map((variable) => (
            <VariableControl
              key={variable.name}
              variable={variable}
              selected={selected[variable.name] ?? []}
              choices={
                variable.options?.length
                  ? variable.options.map(({ value }) => value)
                  : (choices[variable.name] ?? selected[variable.name] ?? [])
              }
              onSelect={(values) => onSelect(variable.name, values)}
            />
          ))}
        </div>
        <div style={{ display: "flex", flexWrap: "wrap", gap: 8 }}>
          {links.map((link) => (
            <LinkButton
              key={link.title}
              variant="secondary"
              fill="outline"
              size="sm"
              style={{ height: 32 }}
              icon={iconOf(link)}
              href={link.keepTime ? `${link.url}?${kept(range, selected)}` : link.url}
              tooltip={link.tooltip}
            >
              {link.title}
            </LinkButton>
          ))}
          <TimeRangePicker
            value={timeRange}
            timeZone={timeZone}
            isOnCanvas
            onChange={({ raw }) => onRange(raw)}
            onChangeTimeZone={ignore}
            onMoveBackward={() => absolute(range.from - length / 2, range.to - length / 2)}
            onMoveForward={() => absolute(range.from + length / 2, range.to + length / 2)}
            onZoom={() => absolute(range.from - length / 2, range.to + length / 2)}
          />
          <RefreshPicker value={interval} text="Refresh" onRefresh={onRefresh} onIntervalChanged={onInterval} isOnCanvas />
        </div>
      </div>
    </>
  );
}

/** The time range and the selected values, which links between dashboards keep. */
const kept = ({ from, to }: Range, selected: Readonly<Record<string, string[]>>) =>
  new URLSearchParams([
    ["from", `${from}`],
    ["to", `${to}`],
    ...Object.entries(selected).flatMap(([name, values]) =>
      (values.length > 0 ? values : ["$__all"]).map((value) => [`var-${name}`, value]),
    ),
  ]);

interface Link {
  title: string;
  url: string;
  keepTime?: boolean;
  icon: string;
  tooltip?: string;
}

/** The icons of dashboard links have their own names. */
const icons: Record<string, IconName> = {
  doc: "file-alt",
  info: "info-circle",
  "external link": "external-link-alt",
  dashboard: "apps",
  question: "question-circle",
  bolt: "bolt",
  cloud: "cloud",
};

const iconOf = ({ icon }: Link): IconName => icons[icon] ?? "link";

function Breadcrumbs({ parts, folder, folderUrl }: { parts: string[]; folder: string | undefined; folderUrl: string | undefined }) {
  const theme = useTheme2();
  const last = parts.length - 1;
  return (
    <nav
      style={{
        display: "flex",
        alignItems: "center",
        gap: 4,
        height: 40,
        padding: "0 16px",
        background: theme.colors.background.primary,
        borderBottom: `1px solid ${theme.colors.border.weak}`,
      }}
    >
      {parts.map((part, index) => (
        <span
          key={part}
          style={{ display: "flex", alignItems: "center", gap: 4, color: index === last ? theme.colors.text.secondary : undefined }}
        >
          {index > 0 && <Icon name="angle-right" />}
          {part === folder && folderUrl ? <a href={folderUrl}>{part}</a> : part}
        </span>
      ))}
    </nav>
  );
}

interface ControlProps {
  variable: Variable;
  selected: string[];
  choices: string[];
  onSelect(values: string[]): void;
}

const all: SelectableValue<string> = { label: "All", value: "$__all" };

function VariableControl({ variable, selected, choices, onSelect }: ControlProps) {
  const theme = useTheme2();
  const option = (value: string): SelectableValue<string> => ({
    label: variable.options?.find((option) => option.value === value)?.text ?? value,
    value,
  });
  const values = selected.length === 0 && variable.includeAll ? [all] : selected.map(option);
  const options = [...(variable.includeAll ? [all] : []), ...choices.map(option)];
  const pick = (picked: string[]) => onSelect(picked.at(-1) === all.value ? [] : picked.filter((value) => value !== all.value));
  const id = `variable-${variable.name}`;
  return (
    <div style={{ display: "flex" }}>
      <label
        htmlFor={id}
        style={{
          display: "flex",
          alignItems: "center",
          height: 32,
          padding: "0 8px",
          margin: "0 -1px 0 0",
          fontSize: theme.typography.bodySmall.fontSize,
          fontWeight: 500,
          background: theme.colors.background.primary,
          border: `1px solid ${theme.components.input.borderColor}`,
          borderRadius: `${theme.shape.radius.default} 0 0 ${theme.shape.radius.default}`,
        }}
      >
        {variable.label || variable.name}
      </label>
      {variable.multi ? (
        <MultiSelect
          inputId={id}
          width="auto"
          value={values}
          options={options}
          onChange={(picked) => pick(picked.map(({ value }) => value ?? ""))}
          isClearable
        />
      ) : (
        <Select inputId={id} width="auto" value={values[0]} options={options} onChange={({ value }) => onSelect([value ?? ""])} />
      )}
    </div>
  );
}
