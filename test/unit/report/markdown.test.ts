/** Untrusted text stays text: no title, query or uid adds an element to the report. */
import * as fc from "fast-check";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { code, codeBlock, htmlCode, short, textDiff, wordDiff } from "../../../src/report/markdown";
import { parsePreview } from "../../../src/report/parse-preview";
import { renderReport } from "../../../src/report/render";
import { visible, withoutLogin } from "../../../src/text/sanitize";
import { changesOf, failedPreview } from "./everywhere";

/** Part of every hostile text, and of no other text. */
const trace = "Zq9";

const signs = [..."`*_~|<>[]()!#-+=\\&$@:;'\"{} /\n\r\t\0\u202e\u200b\u2028\u0085\ud800"];
const markup = ["```\n", "~~~\n", "\n\n", "\n# ", "\n- ", "</details>", "</summary>", "<script>", "<!--", "<![CDATA[", "&#64;", "|---|"];
const links = ["@org/team ", "#1", "https://evil.example", "www.evil.example", "a@evil.example", "![x](https://evil.example)"];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...signs, ...markup, ...links), fc.string({ maxLength: 4 })), { maxLength: 12 })
  .map((parts) => parts.flatMap((part) => [part, trace]).join(""));

const toHtml = (markdown: string) =>
  micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true, allowDangerousProtocol: true });

const allowed = ["h2", "p", "ul", "ol", "li", "strong", "del", "code", 'code class="language-text"', "pre", "details", "summary"];
const tags = allowed.flatMap((tag) => [`<${tag}>`, `</${tag}>`]);

const entities: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"' };
const decode = (html: string) =>
  html.replace(/&(?:#(\d+)|(\w+));/g, (_, number, name) => (number ? String.fromCodePoint(Number(number)) : (entities[name] ?? "?")));

/** Parses a report as GitHub does, and returns the texts of its code elements. */
function codesOf(markdown: string): string[] {
  const html = toHtml(markdown);
  const found = html.match(/<[^>]*>?/g) ?? [];
  expect(found.filter((tag) => !tags.includes(tag))).toEqual([]);
  for (const tag of ["details", "summary", "code", "ul", "ol", "li", "pre"]) {
    expect(html.split(`</${tag}>`).length, tag).toBe(html.split(new RegExp(`<${tag}[ >]`)).length);
  }
  expect(html.replace(/<code[^>]*>[^<]*<\/code>/g, "")).not.toContain(trace);
  return [...html.matchAll(/<code[^>]*>([^<]*)<\/code>/g)].map(([, text = ""]) => decode(text));
}

describe("a text", () => {
  it("in a code span and in HTML is preserved", () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string(), fc.string({ unit: fc.constantFrom("`", " ", "a") })), (text) => {
        const shown = visible(text) || "end";
        expect(codesOf(`- **${code(text)}**: ${code("end")}`)[0]).toBe(shown);
        expect(codesOf(`<details><summary>1 ${htmlCode(text || "end")}</summary>\n\n- ${code("x")}\n\n</details>\n`)[0]).toBe(shown);
      }),
    );
  });

  it("with several lines is a code block, without credentials; long lines and texts are cut", () => {
    const lines = codeBlock(["\u202e", "https://u:p@h", "```", "x".repeat(301), ...Array(37).fill("y")].join("\r\n"));
    expect(lines.slice(0, 5)).toEqual(["````text", "⟨U+202E⟩", "https://[secret]@h", "```", `${"x".repeat(299)}…`]);
    expect(lines.slice(5)).toEqual([...Array(36).fill("y"), "…", "````"]);
  });

  it("in a word diff is complete if it is short", () => {
    fc.assert(
      fc.property(hostile, hostile, fc.constantFrom(1, 20), (some, others, times) => {
        const [before, after] = [some.repeat(times), others.repeat(times)];
        // Equal texts are no change.
        fc.pre(withoutLogin(before) !== withoutLogin(after));
        const html = toHtml(`- ${wordDiff(before, after)}`);
        for (const diff of [wordDiff, textDiff]) {
          codesOf(`- ${diff(before, after)}`);
          expect(diff(before, after)).not.toContain("\n");
        }
        if (before.length + after.length > 60 || !html.includes("<code>") || html.includes("→")) return;
        const pieces = [...html.matchAll(/(<del>|<strong>|)<code>([^<]*)<\/code>/g)];
        const side = (excluded: string) => pieces.map(([, mark, text = ""]) => (mark === excluded ? "" : decode(text))).join("");
        expect(side("<strong>")).toBe(visible(withoutLogin(before)));
        expect(side("<del>")).toBe(visible(withoutLogin(after)));
      }),
    );
  });

  it("in a word diff has its first changes; a text with few common words is replaced, from its first difference on", () => {
    const diffOf = (...changed: number[]) => {
      const textOf = (word: string) =>
        [...Array(200).keys()].map((place) => `${changed.includes(place) ? word : "kept"}word${place}`).join(" ");
      return wordDiff(textOf("old"), textOf("new"));
    };
    const every = (distance: number) => [...Array(200).keys()].filter((place) => place % distance === 1);
    const isShown = /~~`oldword\d+`~~ \*\*`newword\d+`\*\*/g;
    const [eight, more] = [diffOf(...every(28)), diffOf(...every(20))];
    expect([eight.match(isShown)?.length, more.match(isShown)?.length]).toEqual([8, 8]);
    expect([eight.endsWith("` … and more"), more.endsWith("` … and more")]).toEqual([false, true]);
    const common = `sum(${"a_total or ".repeat(20)}`;
    expect(wordDiff(`${common}${"b[1m] ".repeat(30)})`, `${common}${"c ".repeat(99)})`)).toMatch(
      /^`…[a-z_ ]{40}b\[1m\][^`]+…` → `…[a-z_ ]{40}c c[^`]+…`$/,
    );
    expect(diffOf(...every(2))).toMatch(/^`[^`]{160}` → `[^`]{160}`$/);
    const failed = `(sum(sum_over_time(${"gen_ai_requests ".repeat(9)}{error_type!=""}[$__range])) or vector(0))`;
    expect(wordDiff(`${failed} / ${failed}`, failed)).toMatch(
      /^`…rror_type!=""}\[\$__range\]\)\) or vector\(0\)\) \/ \(sum[^`]+…` → `…rror_type!=""}\[\$__range\]\)\) or vector\(0\)\)`$/,
    );
  });

  it("with invisible characters shows their code points", () => {
    expect(visible("a\u202eb\u200bc\0d\r\ne")).toBe("a⟨U+202E⟩b⟨U+200B⟩c⟨U+0000⟩d⏎e");
  });
});

it("a report of changes of every kind, short and folded, and of a failed preview", () => {
  const some = fc.shuffledSubarray([...changesOf("", "").keys()], { minLength: 1, maxLength: 2 });
  fc.assert(
    fc.property(
      hostile,
      hostile,
      fc.oneof({ weight: 9, arbitrary: some }, fc.constant([...changesOf("", "").keys()])),
      (before, after, places) => {
        const changes = changesOf(before, after, `a:b:${after}`).filter((_, place) => places.includes(place));
        const failed = parsePreview(failedPreview(changes, before, after));
        const codes = codesOf(renderReport([{ ...failed, stack: after }]).markdown);
        const dashboards = changes.filter(({ newState }) => newState?.inputs.configJson);
        const titles = codes.filter((text) => text === visible(short(`${after} title`)));
        expect(titles.length).toBeGreaterThanOrEqual(dashboards.length);
      },
    ),
  );
});
