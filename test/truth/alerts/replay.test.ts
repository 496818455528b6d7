/**
 * The replay of rules finds each alert that Prometheus' own ruler finds, evaluation by evaluation, in all stories: promtool evaluates the rules of
 * `npm run rules` on the same samples.
 */
import { expect, it } from "vitest";
import { alertFile } from "../../../src/cli/rule-files";
import { isFullSize } from "../../support/test-size";
import { promtoolIn } from "../promtool";
import { server, usePrometheus } from "../set-up";
import { pushSeries } from "../telemetry/push";
import type { Series } from "../telemetry/service";
import { firings } from "./firing";
import { recordStories } from "./incidents";
import { hasService, rulesAt, storyDays } from "./stories";
import { day, type Rate, week } from "./world";

const rate = (process.env.REPLAY_RATE ?? (isFullSize ? "200 a day" : "30 a day")) as Rate;
/** After a week, as alerts compare with the week before; in a quick run, not the stories on the end of telemetry. */
const minutes = week + (isFullSize ? storyDays : 5) * day;
/** 0:00 UTC: the times of promtool begin at 0, and budgets with the day. */
const start = (Math.floor(Date.now() / 60_000 / day) * day - minutes) * 60_000;

const withService = hasService(rate);
/** Promtool takes as long for each evaluation: a quick run has fewer of them. */
const all = rulesAt(rate).map((rule) => ({ ...rule, everyMinutes: Math.max(isFullSize ? 1 : 10, rule.everyMinutes) }));
/** Promtool's tests load at most 10,000 samples: with 20 applications, rules on days have more. */
const rules = all.filter(({ everyMinutes }) => withService || everyMinutes !== 5);
/** Promtool's samples have one interval, in milliseconds. The service writes at any time. */
const interval = withService ? 10_000 : 60_000;
const promtool = promtoolIn();
const written: Series[] = [];

usePrometheus(900_000, async () => {
  for (const samples of recordStories(rate, 26, start, week, minutes, withService)) {
    const part = samples.map(atIntervals);
    await pushSeries(server.prometheus, part);
    written.push(...part);
  }
});

/** The samples at full intervals, one each. */
function atIntervals({ labels, samples }: Series): Series {
  const all = new Map(samples.map(([time, value]) => [start + Math.floor((time - start) / interval) * interval, value]));
  return { labels, samples: [...all] };
}

/** The samples in promtool's notation. */
function inputs() {
  const all = new Map<string, string[]>();
  for (const { labels, samples } of written) {
    const { __name__, ...others } = labels;
    const series = `${__name__}{${Object.entries(others).map(([name, value]) => `${name}=${JSON.stringify(value)}`)}}`;
    const values = all.get(series) ?? new Array<string>((minutes + 3) * (60_000 / interval)).fill("_");
    all.set(series, values);
    for (const [time, value] of samples) values[(time - start) / interval] = String(value);
  }
  return [...all].map(([series, values]) => ({ series, values: values.join(" ") }));
}

const intervals = [...new Set(rules.map(({ everyMinutes }) => everyMinutes))];

it.each(intervals)("each %s minutes", { timeout: 1_800_000 }, async (every) => {
  const own = rules.filter(({ everyMinutes }) => everyMinutes === every);
  /** The alerts that fire, by minute. */
  const expected = new Map<number, { labels: string; value: number }[]>();
  let count = 0;
  for (const rule of own) {
    for (const { labels, from, to } of await firings(server.prometheus, rule, { from: start, to: start + minutes * 60_000 }, 0)) {
      count += 1;
      const all = { ...labels, alertname: rule.title, alertstate: "firing", service: "llmobs" };
      const text = `ALERTS{${Object.entries(all).map(([name, value]) => `${name}=${JSON.stringify(value)}`)}}`;
      for (let time = from; time < to; time += every * 60_000) {
        const minute = (time - start) / 60_000;
        expected.set(minute, [...(expected.get(minute) ?? []), { labels: text, value: 1 }]);
      }
    }
  }
  expect(count).toBeGreaterThan(0);
  const times = Array.from({ length: minutes / every }, (_, index) => index * every);
  const test = {
    interval: `${interval / 1000}s`,
    input_series: inputs(),
    promql_expr_test: times.map((minute) => {
      return { expr: 'ALERTS{alertstate="firing"}', eval_time: `${minute}m`, exp_samples: expected.get(minute) ?? [] };
    }),
  };
  const file = alertFile([{ rules: own, service: "llmobs", dashboard: "https://grafana.example.com" }]);
  const files = {
    "rules.yaml": file,
    "test.yaml": JSON.stringify({ rule_files: ["rules.yaml"], evaluation_interval: `${every}m`, tests: [test] }),
  };
  expect(await promtool(files, "test", "rules", "test.yaml")).toContain("SUCCESS");
});
