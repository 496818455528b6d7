/** The service's own words about a refusal, made safe to show. Part of the dynamic provider's code, like `exchange.ts`: Node's globals only. */

/** How much of a body is read, in characters. */
const limit = 4096;

/** The message of a JSON body, or its text without tags: cleaned of `secrets` and cut. Empty where there is none. */
export async function readReason(response: Pick<Response, "body">, secrets: readonly string[]): Promise<string> {
  const { text, whole } = await readStart(response);
  const safe = hide(whole ? text : dropBegun(text, secrets), secrets);
  return clean(jsonMessage(safe) ?? safe.replace(/<(style|script)[\s\S]*?<\/\1>/gi, " ").replace(/<[^>]*>/g, " "), secrets);
}

/** Text for a message: secrets replaced, control characters and line breaks gone, at most 200 characters. */
export function clean(text: string, secrets: readonly string[]): string {
  const line = hide(text, secrets)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

async function readStart(response: Pick<Response, "body">): Promise<{ text: string; whole: boolean }> {
  const decoder = new TextDecoder();
  let text = "";
  let whole = true;
  try {
    const reader = response.body?.getReader();
    for (let part = await reader?.read(); part && !part.done && text.length <= limit; part = await reader?.read()) {
      text += decoder.decode(part.value, { stream: true });
    }
    reader?.cancel().catch(() => undefined);
  } catch {
    // The status has been read and decides; a body that breaks off only shortens the reason.
    whole = false;
  }
  return { text: text.slice(0, limit), whole: whole && text.length <= limit };
}

/** The ways in which a server may spell a secret, longest first, so that one secret inside of another leaves no rest of that. */
function spellings(secrets: readonly string[]): string[] {
  const all = secrets.flatMap((secret) => {
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
  });
  return all.filter(Boolean).sort((left, right) => right.length - left.length);
}

function hide(text: string, secrets: readonly string[]): string {
  return spellings(secrets).reduce((hidden, spelling) => hidden.split(spelling).join("[secret]"), text);
}

/** Drops the beginning of a secret from the end of a text that was cut off: it would not be recognised. */
function dropBegun(text: string, secrets: readonly string[]): string {
  const begun = spellings(secrets).map((spelling) => {
    let length = spelling.length;
    while (!text.endsWith(spelling.slice(0, length))) length--;
    return length;
  });
  return text.slice(0, text.length - Math.max(...begun));
}

function jsonMessage(text: string): string | undefined {
  try {
    const value = JSON.parse(text) as Record<string, unknown> | null;
    return [value?.message, value?.error, value?.detail].find((part) => typeof part === "string");
  } catch {
    return undefined;
  }
}
