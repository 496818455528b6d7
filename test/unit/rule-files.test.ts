/** Recording rules as the text of a rule file: by the format of Prometheus, with the comments and the labels of the rules. */
import { expect, it } from "vitest";
import { withComments } from "../../src/cli/rule-files";

it("a rule has its labels in the file, its comment above it, and a name that another rule can have, too", () => {
  const rule = { name: "application:a:increase1m", query: "sum by (b) (\n  c\n)", reads: "c", always: true };
  const sources = { ...rule, comment: "Sent by SDKs of 2025.\nNot by others.", labels: { source: "duration" } };
  const text = withComments([["llm-observability-otel", [rule, { ...sources, onlyExternal: true }]]]);
  expect(text).toBe(`groups:
  - name: llm-observability-otel
    interval: 1m
    query_offset: 1m
    rules:
      - record: application:a:increase1m
        expr: |
          sum by (b) (
            c
          )
      # Sent by SDKs of 2025.
      # Not by others.
      - record: application:a:increase1m
        labels: { source: duration }
        expr: |
          sum by (b) (
            c
          )
`);
});
