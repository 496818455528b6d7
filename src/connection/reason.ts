/** The service's own words about a refusal, made safe to show. Part of the dynamic provider's code, like `exchange.ts`: Node's globals only. */

/** The service's own reason: the message of a JSON body, or its text without tags; from 4 KB at most; cleaned of both keys and cut. */
export async function readReason(response: Response, secrets: string[]): Promise<string> {
  const limit = 4096;
  const decoder = new TextDecoder();
  let text = "";
  try {
    const reader = response.body?.getReader();
    for (let part = await reader?.read(); part && !part.done && text.length <= limit; part = await reader?.read()) {
      text += decoder.decode(part.value, { stream: true });
    }
    reader?.cancel().catch(() => undefined);
  } catch {
    // The status has been read and decides; a body that breaks off only shortens the reason.
  }
  // A key that the limit cuts in two would not be recognised.
  if (text.length > limit) text = text.slice(0, limit - Math.max(...secrets.map((secret) => secret.length)));
  return clean(jsonMessage(text) ?? text.replace(/<(style|script)[\s\S]*?<\/\1>/gi, " ").replace(/<[^>]*>/g, " "), secrets);
}

function jsonMessage(text: string): string | undefined {
  try {
    const value = JSON.parse(text) as Record<string, unknown> | null;
    const message = [value?.message, value?.error, value?.detail].find((part) => typeof part === "string");
    return message as string | undefined;
  } catch {
    return undefined;
  }
}

/** Text for a message: every spelling of a secret replaced, control characters and line breaks gone, at most 200 characters. */
export function clean(text: string, secrets: string[]): string {
  let cleaned = text;
  for (const secret of secrets) {
    const base64 = Buffer.from(secret, "utf8").toString("base64");
    for (const spelling of [JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), base64, secret]) {
      if (spelling) cleaned = cleaned.split(spelling).join("[secret]");
    }
  }
  cleaned = cleaned.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return cleaned.length > 200 ? `${cleaned.slice(0, 200)}…` : cleaned;
}
