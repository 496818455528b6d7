/** Text of others, made safe to show at a terminal, and to paste into a shell. */

/** Where a value is cut. */
const maxLength = 80;

/** Control characters, direction marks and the like. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** All that is unseen made visible; line ends too, so that the text stays one line. */
export function visible(text: string): string {
  return text.replace(/\r\n|\n|\r/g, "⏎").replace(unseen, (sign) => `⟨${codePointOf(sign)}⟩`);
}

/** A character by its number, as `U+0435`. */
export const codePointOf = (sign: string) => `U+${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;

/** The text's beginning, where it is long. */
export function truncate(text: string, most = maxLength): string {
  const signs = [...text];
  return signs.length <= most ? text : `${signs.slice(0, most - 1).join("")}…`;
}

/** Addresses in a text without the user names and passwords that somebody may have written into them. */
export const withoutLogin = (text: string) => text.replace(/\/\/[^/?#\s"]*@/g, "//[secret]@");

/** The longest word of a command: a longer one is no slip of the hand, and its command would fill the screen. */
const maxWordLength = 200;

/**
 * The text as one word of a shell's command, itself without anything unseen; undefined where no command can hold it. What is unseen is written
 * by its bytes, which bash and zsh read in all their versions.
 */
export function shellWord(text: string): string | undefined {
  if (text.includes("\0") || text.length > maxWordLength) return undefined;
  if (/^[\w@%+:,./-]+$/.test(text)) return text;
  if (visible(text) === text) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$'${text.replace(/['\\!]/g, byBytes).replace(unseen, byBytes)}'`;
}

const byBytes = (sign: string) => [...Buffer.from(sign, "utf8")].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
