/** The stand-in for the Grafana plugin: its resources and functions. */
import { version } from "@pulumiverse/grafana/package.json";
import type { Provider } from "../server";
import { accessPolicy } from "./access-policy";
import { accessPolicyToken } from "./access-policy-token";
import { lookup } from "./bridge";
import { type Clients, config, configure } from "./config";
import { dashboard } from "./dashboard";
import { dataSource } from "./data-source";
import { folder } from "./folder";
import { folderPermission } from "./folder-permission";
import { getDataSource, getFolder } from "./lookups";
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
    "grafana:cloud/accessPolicy:AccessPolicy": accessPolicy,
    "grafana:cloud/accessPolicyToken:AccessPolicyToken": accessPolicyToken,
  },
  lookups: Object.fromEntries(
    Object.entries({
      "grafana:oss/getDataSource:getDataSource": getDataSource,
      "grafana:oss/getFolder:getFolder": getFolder,
    }).map(([token, one]) => [token, lookup(token, one)]),
  ),
};
