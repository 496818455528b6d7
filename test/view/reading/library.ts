/** Grafana's library of frames, formats, reducers and transformations, loaded in Node.js. In the page, Vite takes library.browser.ts instead. */
import { createRequire } from "node:module";
import type * as Library from "@grafana/data";

// Required, not imported: as an ES module it fails on a named export of moment-timezone.
export const grafana: typeof Library = createRequire(__filename)("@grafana/data");

// It needs no DOM, only two globals: the navigator's languages, and the window's flag for dashboards as scenes, which is set since Grafana 11. They
// are set after loading, because one of its dependencies expects a complete browser if a window exists.
const globals = globalThis as { navigator?: unknown; window?: unknown };
globals.navigator ??= { language: "en-US", languages: ["en-US"] };
globals.window ??= { __grafanaSceneContext: {} };
