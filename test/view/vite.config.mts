/** Builds the page: the page's own files, with the icons and the fonts of Grafana's look, for the address /public/view/. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const here = dirname(fileURLToPath(import.meta.url));
const packages = join(here, "node_modules");
const out = join(here, "build");

/** Editors and maps that dashboards never show: half of the bundle. Each is the default export of a module that @grafana/ui loads on demand. */
const unused =
  /@grafana\/ui\/dist\/esm\/components\/(CodeMirror\/(CodeEditor|languageLoader)|Monaco\/ReactMonacoEditor|Table\/geo\/OpenLayersProvider)\.mjs$/;

const withoutEditors: Plugin = {
  name: "without-editors",
  load: (id) => (unused.test(id) ? "export default () => null; export const OpenLayersProvider = () => null;" : undefined),
};

/** Files that @grafana/ui requests by these names. */
const files: [from: string, to: string][] = [
  ["@grafana/ui/dist/public/img/icons", "build/img/icons"],
  ...["Regular", "Medium", "Italic", "MediumItalic"].map((style): [string, string] => [
    `inter-ui/web/Inter-${style}.woff2`,
    `fonts/inter/Inter-${style}.woff2`,
  ]),
  [
    "@fontsource/roboto-mono/files/roboto-mono-latin-400-normal.woff2",
    "fonts/roboto/L0xTDF4xlVMF-BfR8bXMIhJHg45mwgGEFl0_3vrtSM1J-gEPT5Ese6hmHSh0mQ.woff2",
  ],
];

const copyFiles: Plugin = {
  name: "copy-files",
  closeBundle() {
    for (const [from, to] of files) {
      mkdirSync(dirname(join(out, to)), { recursive: true });
      cpSync(join(packages, from), join(out, to), { recursive: true });
    }
    // The package has one of two icons of the time picker.
    const icon = (direction: string) => join(out, `build/img/icons/unicons/angle-double-${direction}.svg`);
    writeFileSync(icon("left"), readFileSync(icon("right"), "utf8").replace("<path", '<path transform="matrix(-1 0 0 1 24 0)"'));
  },
};

export default defineConfig({
  root: join(here, "page"),
  base: "/public/view/",
  plugins: [react(), withoutEditors, copyFiles],
  resolve: {
    alias: [{ find: /^(\.\.?\/)+(reading\/)?library$/, replacement: join(here, "reading/library.browser.ts") }],
    dedupe: ["react", "react-dom"],
  },
  build: { outDir: out, emptyOutDir: true, chunkSizeWarningLimit: 6000, reportCompressedSize: false },
});
