/** Odd series of one application spoil no numbers of others: the recording rules by Prometheus' own tool. */
import { it } from "vitest";
import { recordedBy } from "./promtool";

const requests = "application:gen_ai_requests_count:increase1m";
const expectRecorded = recordedBy(new RegExp(requests));

const counted = (labels: string) =>
  `gen_ai_client_operation_duration_seconds_count{gen_ai_operation_name="chat",gen_ai_request_model="m",${labels}}`;
const recorded = (application: string, environment = "(none)") =>
  `application:gen_ai_requests_count:increase1m{application="${application}",environment="${environment}",gen_ai_operation_name="chat",model="m",provider="(none)",source="durations"}`;

const cases: Record<string, { series: Record<string, string>; expected: Record<string, number> }> = {
  "labels with the names of those that rules write": {
    series: { [counted('job="a",environment="x",none="1"')]: "0+1x20", [counted('job="a",environment="y",none="2"')]: "0+2x20" },
    expected: { [recorded("a")]: 3 },
  },
  "resources of a process that differ in other attributes, and one that names two environments": {
    series: {
      [counted('job="a",instance="1"')]: "0+3x20",
      'target_info{job="a",instance="1",resource="x",deployment_environment="prod"}': "1x20",
      'target_info{job="a",instance="1",resource="y",deployment_environment="prod"}': "1x20",
      'target_info{job="a",instance="1",deployment_environment_name="old"}': "1x5",
    },
    expected: { [recorded("a", "prod")]: 3 },
  },
  "one name as a counter and as an exponential histogram": {
    series: {
      [counted('job="a",instance="1"')]: "0+3x20",
      'gen_ai_client_operation_duration_seconds{gen_ai_operation_name="chat",gen_ai_request_model="m",job="a",instance="1"}':
        "{{schema:1 sum:1 count:1 buckets:[1]}}x20",
    },
    expected: { [recorded("a")]: 3 },
  },
  "an application with Spring AI's names and those of the conventions": {
    series: {
      [counted('job="a",instance="1"')]: "0+3x20",
      'gen_ai_client_operation_seconds_count{gen_ai_operation_name="chat",gen_ai_request_model="m",job="a",instance="1",error="none"}':
        "0+3x20",
    },
    expected: { [recorded("a")]: 3 },
  },
  // Whoever names a model could write queries into the links of its row.
  "names with signs of JSON and of TraceQL end there": {
    series: {
      [counted(String.raw`job="a\"}],\"queries\":[]"`)]: "0+3x20",
      [counted(String.raw`job="c\\d"`)]: "0+2x20",
      [counted('job="e`f"')]: "0+1x20",
    },
    expected: { [recorded("a")]: 3, [recorded("c")]: 2, [recorded("e")]: 1 },
  },
  "values that are no numbers": {
    series: { [counted('job="a",instance="1"')]: "NaN ".repeat(20), [counted('job="a",instance="2"')]: "Inf ".repeat(20) },
    expected: {},
  },
};

it.each(Object.entries(cases))("%s", async (_what, { series, expected }) => {
  await expectRecorded({ ...series, [counted('job="b"')]: "0+5x20" }, { [requests]: { 10: { ...expected, [recorded("b")]: 5 } } });
});
