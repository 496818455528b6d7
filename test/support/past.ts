/** A server of range queries, as Prometheus or as Grafana in front of it, whose series is above 0.15 for 12 minutes two days ago, and above 0.07 for 5 a day later. */
import { answer, startRawServer } from "./raw-server";

/** @param now the time in seconds, the days before which count @param begin of the series @param gap from and to when there are no values */
export async function startPast(now: number, begin = 0, [gap, gapEnd] = [0, 0]) {
  const asked: string[] = [];
  const isWithin = (time: number, days: number, minutes: number) =>
    time >= now - days * 86_400 && time < now - days * 86_400 + minutes * 60;
  const server = await startRawServer([
    ({ path }) => {
      const { query = "", start, end, step } = Object.fromEntries(new URL(path, "http://x").searchParams);
      asked.push(`${path.split("?")[0]} ${query}`);
      const [, names] = /^count by \(__name__\) .*?"([\w:|]+)/.exec(query) ?? [];
      const values: [number, string][] = [];
      for (let time = Math.max(begin, Number(start)); time <= Number(end); time += Number(step))
        if (time < gap || time >= gapEnd)
          values.push([time, names ? "1" : isWithin(time, 2, 12) ? "0.2" : isWithin(time, 1, 5) ? "0.1" : "0"]);
      const metrics = names?.split("|").map((name) => ({ __name__: name })) ?? [{ application: "check|out", provider: "openai" }];
      const data = { resultType: "matrix", result: values.length > 0 ? metrics.map((metric) => ({ metric, values })) : [] };
      return answer(200, JSON.stringify({ status: "success", data }), { "Content-Type": "application/json" });
    },
  ]);
  return { ...server, url: server.url, asked };
}
