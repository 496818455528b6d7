/** A dashboard from Grafana's API, with data from its datasources. */
import { type GrafanaTheme2, isDateTime, type RawTimeRange } from "@grafana/data";
import { Alert } from "@grafana/ui";
import { useEffect, useMemo, useState } from "react";
import type { DashboardModel } from "../../../../src/dashboards/normalize";
import { variablesOf } from "../../reading/panel";
import { Dashboard } from "../Dashboard";
import { usePageWidth } from "../width";
import { type Raw, rangeOf, rawOf, selectedOf, timeZoneOf, withRaw, withSelected } from "./address";
import { getJson } from "./api";
import { useChoices, usePanelData } from "./data";
import { addresses, type GrafanaDatasource, namesOf } from "./variables";

export interface Loaded {
  model: DashboardModel;
  folder?: string;
  folderUrl?: string;
  datasources: GrafanaDatasource[];
}

/** @throws Error with Grafana's message */
export async function loadDashboard(uid: string): Promise<Loaded> {
  const [{ dashboard, meta }, settings] = await Promise.all([
    getJson<{ dashboard: DashboardModel; meta: { folderTitle?: string; folderUrl?: string } }>(
      `/api/dashboards/uid/${encodeURIComponent(uid)}`,
    ),
    getJson<{ datasources: Record<string, GrafanaDatasource> }>("/api/frontend/settings"),
  ]);
  return { model: dashboard, folder: meta.folderTitle, folderUrl: meta.folderUrl, datasources: Object.values(settings.datasources) };
}

export function LivePage({ loaded, theme }: { loaded: Loaded; theme: GrafanaTheme2 }) {
  const { model, datasources, folder, folderUrl } = loaded;
  const [url, setUrl] = useState(() => new URL(window.location.href));
  const [reading, setReading] = useState(0);
  const [interval, setRefreshInterval] = useState("");
  const width = usePageWidth();
  const timeZone = timeZoneOf(url, model);
  const raw = useMemo(() => rawOf(url, model), [url, model]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each reading has its own "now"
  const range = useMemo(() => rangeOf(raw, timeZone, Date.now()), [raw.from, raw.to, timeZone, reading]);
  const selected = useMemo(() => completed(model, datasources, selectedOf(url)), [model, datasources, url]);
  const baseOf = useMemo(() => addresses(datasources, selected, url.origin), [datasources, selected, url.origin]);
  const choices = useChoices(model, range, selected, baseOf);
  const data = usePanelData(model, range, selected, baseOf, width, timeZone, raw.from.includes("now"));
  const go = (changed: URL) => {
    window.history.replaceState(null, "", changed);
    setUrl(changed);
  };
  const refresh = () => setReading((count) => count + 1);
  useEffect(() => {
    const milliseconds = intervals[interval];
    if (!milliseconds) return;
    const timer = setInterval(() => setReading((count) => count + 1), milliseconds);
    return () => clearInterval(timer);
  }, [interval]);

  const names = Object.fromEntries(
    variablesOf(model).flatMap(({ name, type, query }) => (type === "datasource" ? [[name, namesOf(datasources, query)]] : [])),
  );
  return (
    <>
      {choices.errors.map((error) => (
        <Alert key={error} severity="error" title="Variables have no values">
          {error}
        </Alert>
      ))}
      <Dashboard
        {...{ model, folder, folderUrl, theme, timeZone, range, data, width, selected, interval }}
        raw={pickerRange(raw)}
        choices={{ ...choices.values, ...names }}
        kiosk={url.searchParams.has("kiosk")}
        onSelect={(name, values) => go(withSelected(url, name, values))}
        onRange={(picked) => go(withRaw(url, { from: textOf(picked.from), to: textOf(picked.to) }))}
        onRefresh={refresh}
        onInterval={setRefreshInterval}
      />
    </>
  );
}

/** The choices of the refresh picker, in milliseconds. */
const intervals: Record<string, number> = Object.fromEntries(
  [5, 10, 30, 60, 300, 900, 1800, 3600].map((seconds) => [
    seconds < 60 ? `${seconds}s` : seconds < 3600 ? `${seconds / 60}m` : "1h",
    seconds * 1000,
  ]),
);

const textOf = (time: RawTimeRange["from"]) => (isDateTime(time) ? `${time.valueOf()}` : time);

/** The picker shows absolute ranges by their ends. */
const pickerRange = (raw: Raw) => (raw.from.includes("now") ? raw : undefined);

/** The selection with the model's own values for variables that the address does not name; a datasource variable has at least the default one. */
function completed(model: DashboardModel, datasources: GrafanaDatasource[], selected: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(
    variablesOf(model).map(({ name, type, query, ...variable }) => {
      const stored = [(variable as { current?: { value?: string | string[] } }).current?.value ?? []].flat();
      const values = selected[name] ?? stored.filter((value) => value !== "$__all" && value !== "default");
      if (type !== "datasource") return [name, values];
      const chosen = datasources.find((datasource) => datasource.name === values[0] || datasource.uid === values[0])?.name;
      return [name, [chosen ?? namesOf(datasources, query)[0] ?? ""]];
    }),
  );
}
