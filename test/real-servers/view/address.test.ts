/** Addresses, time ranges and variables of the page. */
import { describe, expect, it } from "vitest";
import { pageOf, rangeOf, rawOf, selectedOf, timeZoneOf, withRaw, withSelected } from "../../view/page/live/address";
import { addresses, labelValues, namesOf, valuesOf } from "../../view/page/live/variables";
import { loopback } from "../reading/loopback";

const url = (text: string) => new URL(text, "http://localhost");
const now = Date.UTC(2026, 10, 22, 14, 20, 43, 123);
const hour = 3_600_000;

describe("addresses", () => {
  it("name a dashboard, a folder or a file", () => {
    expect(pageOf(url("/d/genai/slug?from=now-1h"))).toEqual({ kind: "dashboard", uid: "genai" });
    expect(pageOf(url("/d/genai"))).toEqual({ kind: "dashboard", uid: "genai" });
    expect(pageOf(url("/dashboards/f/llm%20x/slug"))).toEqual({ kind: "folder", uid: "llm x" });
    expect(pageOf(url("/public/view/?data=a.json"))).toEqual({ kind: "file", file: "a.json" });
    expect(pageOf(url("/?comparison=b.json"))).toEqual({ kind: "comparison", file: "b.json" });
    expect(pageOf(url("/explore"))).toEqual({ kind: "unknown" });
  });

  it("contain the values of variables; All is an empty list", () => {
    const selected = selectedOf(url("/d/x?var-a=1&var-a=2&var-b=$__all&var-c=All&from=now-1h"));
    expect(selected).toEqual({ a: ["1", "2"], b: [], c: [] });
    const changed = withSelected(url("/d/x?var-a=1&var-b=2&kiosk"), "a", ["3", "a b&c"]);
    expect(selectedOf(changed)).toEqual({ a: ["3", "a b&c"], b: ["2"] });
    expect(changed.searchParams.has("kiosk")).toBe(true);
    expect(withSelected(changed, "a", []).searchParams.getAll("var-a")).toEqual(["$__all"]);
  });

  it("have the model's range and time zone by default", () => {
    const model = { time: { from: "now-24h", to: "now" }, timezone: "" };
    expect(rawOf(url("/d/x"), model)).toEqual({ from: "now-24h", to: "now" });
    expect(rawOf(withRaw(url("/d/x"), { from: "1", to: "2" }), model)).toEqual({ from: "1", to: "2" });
    expect([timeZoneOf(url("/d/x"), model), timeZoneOf(url("/d/x?timezone=utc"), model)]).toEqual(["browser", "utc"]);
  });
});

describe("ranges", () => {
  const range = (from: string, to: string) => rangeOf({ from, to }, "utc", now);

  it("are relative to one now, with rounding, or absolute", () => {
    expect(range("now-24h", "now")).toEqual({ from: now - 24 * hour, to: now });
    expect(range("now/d", "now/d")).toEqual({ from: Date.UTC(2026, 10, 22), to: Date.UTC(2026, 10, 23) - 1 });
    expect(range(`${now - hour}`, `${now}`)).toEqual({ from: now - hour, to: now });
    expect(range("2026-11-22T10:00:00Z", "now").from).toBe(Date.UTC(2026, 10, 22, 10));
  });

  it("without a time or a length are errors", () => {
    expect(() => range("yesterday", "now")).toThrow("Not a time: yesterday");
    expect(() => range("now", "now-1h")).toThrow("empty");
  });
});

describe("variables", () => {
  it("are queries of label values", () => {
    expect(labelValues("label_values(environment)")).toEqual({ label: "environment" });
    expect(labelValues(' label_values( up{job=~"a,b"}, instance ) ')).toEqual({ selector: 'up{job=~"a,b"}', label: "instance" });
    expect(labelValues("label_values(up, a_b.c)")).toEqual({ selector: "up", label: "a_b.c" });
    for (const query of ["query_result(up)", "label_values()", "metrics(up)", "label_values(.a)"])
      expect(() => labelValues(query)).toThrow(query);
  });

  it("read sorted values from the datasource in the time range", async () => {
    const { servers, requests } = await loopback({ status: "success", data: ["b", "a"] });
    const variable = { type: "query", name: "v", query: "label_values(up, job)", datasource: { type: "prometheus", uid: "p" } };
    expect(await valuesOf(variable, { from: 1000, to: 2500 }, () => servers.prometheus)).toEqual(["a", "b"]);
    expect(requests).toMatchObject([{ path: "/api/v1/label/job/values", parameters: { start: "1", end: "2.5", "match[]": "up" } }]);
  });

  it("fail with the message of the server", async () => {
    const { servers } = await loopback("no such label", 400);
    const variable = { type: "query", name: "v", query: "label_values(x)", datasource: { type: "prometheus", uid: "p" } };
    await expect(valuesOf(variable, { from: 0, to: 1 }, () => servers.prometheus)).rejects.toThrow("400: no such label");
  });

  it("select datasources by name or uid", () => {
    const datasources = [
      { uid: "p2", type: "prometheus", name: "another" },
      { uid: "p1", type: "prometheus", name: "main", isDefault: true },
      { uid: "t", type: "tempo", name: "traces" },
    ];
    expect(namesOf(datasources, "prometheus")).toEqual(["main", "another"]);
    const base = addresses(datasources, { metrics: ["another"], byUid: ["p1"] }, "http://grafana");
    const at = (uid: string) => base({ type: "prometheus", uid });
    expect([at("${metrics}"), at("$byUid"), at("t")]).toEqual(
      ["p2", "p1", "t"].map((uid) => `http://grafana/api/datasources/proxy/uid/${uid}`),
    );
    expect(() => at("gone")).toThrow("Datasource gone was not found");
    expect(() => at("${unknown}")).toThrow("Datasource ${unknown} was not found");
  });
});
