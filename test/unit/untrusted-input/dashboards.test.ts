/** Names in dashboards have no sign that a query, a variable, Markdown or HTML could read as its own. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { complete, problemsOf } from "../config";
import { untrustedText } from "./values";

const isLegal = (key: string, value: string) => problemsOf({ ...complete, [key]: value }).length === 0;

it("a name of an SDK or of a service with any other sign is rejected", () => {
  fc.assert(
    fc.property(untrustedText, (text) => {
      // Only white space of a keyboard may surround it, and a boolean is not a name.
      const name = /^[\t-\r ]*(.*?)[\t-\r ]*$/s.exec(text)?.[1] ?? "";
      const isText = !/^(true|false)$/.test(name);
      expect(isLegal("sdkName", text)).toBe(isText && /^(?!www\.)[a-zA-Z0-9]+([._-][a-zA-Z0-9]+)*$/.test(name));
      expect(isLegal("service", text)).toBe(isText && /^[a-zA-Z_][a-zA-Z0-9_]{0,24}$/.test(name));
    }),
  );
  for (const name of ['"} or vector(1)', "$application", "www.evil.example", "__init__", "[x](y)"])
    expect(isLegal("sdkName", name)).toBe(false);
});
