/** Globals that Grafana's packages read when they load: import this first. */
declare global {
  interface Window {
    __grafana_public_path__?: string;
    /** The flag of dashboards as scenes, which is set since Grafana 11. */
    __grafanaSceneContext?: object;
  }
}

window.__grafana_public_path__ = import.meta.env.BASE_URL;
window.__grafanaSceneContext = {};

export {};
