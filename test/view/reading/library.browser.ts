/** Grafana's library in the page, where it is an ordinary module (see library.ts). */
import * as grafana from "@grafana/data";

export { grafana };
