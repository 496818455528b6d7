/** Tells from outside whether the page is complete: `data-state` of the document is `loading`, `ready`, or `error` if there is no page. */

/** Milliseconds without a change of the document, after which charts and tables are complete. */
const quiet = 200;

/** Fonts of panels. Charts measure text before they draw. */
const fonts = ["400 14px Inter", "500 14px Inter", "400 14px 'Roboto Mono'"];

export const loadFonts = () => Promise.all(fonts.map((font) => document.fonts.load(font)));

/** Watches requests, panels and changes of the document until the page is left. */
export function watchState(): void {
  const { documentElement: html } = document;
  let requests = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const changed = () => {
    html.dataset.state = "loading";
    clearTimeout(timer);
    timer = setTimeout(() => {
      const { pageState } = document.body.dataset;
      const loading = requests > 0 || pageState === "loading" || document.querySelector('[data-panel-state="loading"]');
      // A panel that ends loading changes the document, a request that ends calls this again.
      if (!loading) html.dataset.state = pageState === "error" ? "error" : "ready";
    }, quiet);
  };
  const send = window.fetch;
  window.fetch = async (...request) => {
    requests += 1;
    changed();
    try {
      return await send(...request);
    } finally {
      requests -= 1;
      changed();
    }
  };
  new MutationObserver(changed).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  changed();
}
