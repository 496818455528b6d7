/** What the page of Grafana 12.4 writes when somebody saves a dashboard: models have it at once, and the report of drift leaves it out. */

type Part = Record<string, unknown>;

const builtIn = {
  ...{ builtIn: 1, datasource: { type: "grafana", uid: "-- Grafana --" }, enable: true, hide: true },
  ...{ iconColor: "rgba(0, 211, 255, 1)", name: "Annotations & Alerts", type: "dashboard" },
};

const partIn = (value: unknown): Part | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Part) : undefined;
/** What each object in a list becomes. A model that somebody wrote by hand can have anything. */
const eachIn = (value: unknown, change: (part: Part, index: number) => Part): unknown[] =>
  (Array.isArray(value) ? value : []).map((each, index) => (partIn(each) ? change(each, index) : each));

/** Without fields that have these values, which are the page's defaults. */
const without = (part: Part, defaults: Part): Part =>
  Object.fromEntries(Object.entries(part).filter(([name, value]) => !(name in defaults) || value !== defaults[name]));

/** A model as the page saves it. */
export function asSaved(model: Part): Part {
  const annotations = eachIn(partIn(model.annotations)?.list, (each) => each);
  const list = annotations.some((each) => partIn(each)?.builtIn) ? annotations : [builtIn, ...annotations];
  return {
    ...{ preload: false, timepicker: {}, weekStart: "", ...model },
    annotations: { ...partIn(model.annotations), list },
    templating: { ...partIn(model.templating), list: eachIn(partIn(model.templating)?.list, savedVariable) },
    panels: eachIn(model.panels, savedPanel),
  };
}

function savedVariable(variable: Part): Part {
  const { selected: _, ...current } = partIn(variable.current) ?? {};
  // The page leaves out `multi`, which is specified.
  const ofType: Record<string, Part> = { datasource: { refresh: 1, multi: false }, query: { regexApplyTo: "value" } };
  return { ...ofType[String(variable.type)], options: [], ...without(variable, { skipUrlSync: false }), current };
}

function savedPanel(panel: Part): Part {
  const { repeat, fieldConfig, options } = panel;
  const kept = without(panel, { title: "", transparent: false, ...(!repeat && { repeatDirection: "h" }) });
  const [defaults, reduce] = [partIn(partIn(fieldConfig)?.defaults), partIn(partIn(options)?.reduceOptions)];
  const thresholds = partIn(defaults?.thresholds);
  const steps = eachIn(thresholds?.steps, (step, index) => (index === 0 ? { ...step, value: step.value ?? 0 } : step));
  return {
    ...kept,
    ...(thresholds && { fieldConfig: { ...partIn(fieldConfig), defaults: { ...defaults, thresholds: { ...thresholds, steps } } } }),
    ...(reduce && { options: { ...partIn(options), reduceOptions: { fields: "", ...reduce } } }),
    ...(Array.isArray(panel.panels) && { panels: eachIn(panel.panels, savedPanel) }),
  };
}
