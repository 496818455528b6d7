/** Untrusted text, made safe for a terminal and for a shell, and parts of messages. */

/** Control characters, direction marks and similar characters. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Makes invisible characters and line ends visible, so that the text stays one line. */
export const visible = (text: string) => text.replace(/\r\n|\n|\r/g, "⏎").replace(invisible, (sign) => `⟨${codePointOf(sign)}⟩`);

/** The code point of a character, such as `U+0435`. */
export const codePointOf = (character: string) => `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;

/** The first characters of a text that is longer than `max`. */
export function truncate(text: string, max = 80): string {
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join("")}…`;
}

/** Replaces user names and passwords in addresses. */
export const withoutLogin = (text: string) => text.replace(/\/\/[^/?#\s"]*@/g, "//[secret]@");

/** Quotes a text as one word of a shell command; undefined if it has invisible characters, or would fill the screen. */
export function shellWord(text: string): string | undefined {
  if (visible(text) !== text || text.length > 250) return undefined;
  return /^[\w@%+:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A shell command in which each value is one quoted word; `VALUE` stands for a value that is no such word. */
export const shell = (text: TemplateStringsArray, ...values: string[]) =>
  text.map((part, index) => `${index > 0 ? (shellWord(values[index - 1] ?? "") ?? "VALUE") : ""}${part}`).join("");

/** The command that sets a plain key. */
export const configSet = (key: string, value: string, stack: string) => shell`npx pulumi config set ${key} ${value} --stack ${stack}`;

/** The text about what was found; none if nothing was. */
export const textAbout = (found: readonly unknown[], ...lines: readonly string[]) => (found.length > 0 ? [lines.join("\n")] : []);
