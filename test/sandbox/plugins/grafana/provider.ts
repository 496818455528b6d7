/** The stand-in for the Grafana plugin: its resources, with the properties that the program sets. */
import { version } from "@pulumiverse/grafana/package.json";
import type { Provider } from "../operations";
import { type Clients, config, configure } from "./config";
import { dashboard } from "./dashboard";
import { dataSource } from "./data-source";
import { folder } from "./folder";
import { folderPermission } from "./folder-permission";
import { ruleGroup } from "./rule-group";

export const grafana: Provider<Clients> = {
  name: "Grafana",
  version,
  config,
  configure,
  resources: {
    "grafana:oss/folder:Folder": folder,
    "grafana:oss/folderPermission:FolderPermission": folderPermission,
    "grafana:oss/dashboard:Dashboard": dashboard,
    "grafana:oss/dataSource:DataSource": dataSource,
    "grafana:alerting/ruleGroup:RuleGroup": ruleGroup,
  },
};
