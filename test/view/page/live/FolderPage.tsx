/** The dashboards of a folder. */
import { Icon, Tag, useTheme2 } from "@grafana/ui";
import { getJson } from "./api";

export interface Found {
  uid: string;
  title: string;
  url: string;
  tags?: string[];
  folderTitle?: string;
}

/** @throws Error with Grafana's message */
export const loadFolder = (uid: string) => getJson<Found[]>(`/api/search?${new URLSearchParams({ folderUIDs: uid, type: "dash-db" })}`);

export function FolderPage({ dashboards }: { dashboards: readonly Found[] }) {
  const theme = useTheme2();
  return (
    <main style={{ maxWidth: 900, margin: "0 auto", padding: 32 }}>
      <h1>{dashboards[0]?.folderTitle ?? "Dashboards"}</h1>
      {dashboards.length === 0 && <p>This folder has no dashboards.</p>}
      {dashboards.map(({ uid, title, url, tags = [] }) => (
        <a
          key={uid}
          href={url}
          style={{ display: "flex", alignItems: "center", gap: 8, padding: 12, borderBottom: `1px solid ${theme.colors.border.weak}` }}
        >
          <Icon name="apps" />
          <span style={{ flexGrow: 1, color: theme.colors.text.primary }}>{title}</span>
          {tags.map((tag) => (
            <Tag key={tag} name={tag} />
          ))}
        </a>
      ))}
    </main>
  );
}
