/**
 * Takes secrets out of the words of others, who may say back what they were sent. Part of the dynamic provider's code (see
 * `connection/exchange.ts`): Node's globals only.
 */

/** What is shorter stands in words by chance: to hide it everywhere would tell it. */
const shortest = 4;

/**
 * The text with a mark in place of each secret in one of the usual spellings; nothing of it where it holds one in some other spelling, or one
 * inside of another.
 *
 * @param whole false where the text was cut off: the beginning of a secret at its end goes, too
 */
export function hideSecrets(text: string, secrets: readonly string[], whole = true): string {
  const long = secrets.filter(({ length }) => length >= shortest);
  // Longest first, so that one secret inside of another leaves no rest of that.
  const usual = long.flatMap(usualSpellings).sort((left, right) => right.length - left.length);
  const safe = usual.reduce((hidden, spelling) => hidden.split(spelling).join("[secret]"), whole ? text : dropBegun(text, usual));
  const forms = unescapedForms(safe);
  return long.some((secret) => tells(forms, secret)) ? "[not shown: it holds a secret]" : safe;
}

function usualSpellings(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeURIComponent(secret);
  const base64 = Buffer.from(secret, "utf8").toString("base64").replace(/=+$/, "");
  const html = secret.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  return [
    ...[secret, json, json.replace(/\//g, "\\/")],
    ...[url, url.replace(/%../g, (code) => code.toLowerCase()), url.replace(/%20/g, "+")],
    ...[base64, base64.replace(/\+/g, "-").replace(/\//g, "_")],
    ...[html, html.replace(/"/g, "&quot;").replace(/'/g, "&#39;"), html.replace(/"/g, "&#34;").replace(/'/g, "&#x27;")],
  ];
}

/** Drops the beginning of a secret from the end of a text that was cut off: it would not be recognised. */
function dropBegun(text: string, usual: readonly string[]): string {
  const begun = usual.map((spelling) => {
    let length = spelling.length;
    while (!text.endsWith(spelling.slice(0, length))) length--;
    return length;
  });
  return text.slice(0, text.length - Math.max(0, ...begun));
}

/** How often a text may have been escaped. */
const rounds = 3;

/** The text, and what it becomes when its escapes are undone in any order. */
function unescapedForms(text: string): string[] {
  const forms = new Set([text]);
  for (let round = 0; round < rounds; round++) {
    for (const form of [...forms]) for (const undo of [unescapeText, unescapeAddress, unescapeForm, unescapeHtml]) forms.add(undo(form));
  }
  return [...forms];
}

/** Whether the secret stands in one of the forms, or in base64 there, alone or as part of a longer text. */
function tells(forms: readonly string[], secret: string): boolean {
  const digits = base64Within(secret);
  // What no escaping touches shows at any depth.
  const runs = secret.match(/[a-z0-9]{12,}/gi) ?? [];
  return forms.some((form) => {
    const plain = form.replace(/-/g, "+").replace(/_/g, "/");
    return form.includes(secret) || runs.some((run) => form.includes(run)) || digits.some((run) => plain.includes(run));
  });
}

const signs: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v" };
const names: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const fromHex = (hex: string) => String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff));

/** As in JSON and in most languages. */
function unescapeText(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(.))/gis, (_all, unit?: string, byte?: string, sign = "") => {
    return unit || byte ? fromHex(unit ?? byte ?? "") : (signs[sign] ?? sign);
  });
}

function unescapeAddress(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replace(/%/g, ""), "hex").toString("utf8"));
}

function unescapeForm(text: string): string {
  return unescapeAddress(text.replace(/\+/g, " "));
}

function unescapeHtml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,8})|#(\d{1,8})|(amp|lt|gt|quot|apos));/gi, (_all, hex?: string, number?: string, name = "") => {
    return hex || number ? fromHex(hex ?? Number(number).toString(16)) : (names[name.toLowerCase()] ?? "");
  });
}

/** The digits that every base64 of a text with the secret in it has in common, for each place in it. */
function base64Within(secret: string): string[] {
  return [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret, "utf8")]);
    return bytes.toString("base64").slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
}
