/** The service's own words about a refusal, made safe to show. Part of the dynamic provider's code, like `exchange.ts`: Node's globals only. */
import { hideSecrets } from "../hide";

/** How much of a body is read, in characters. */
const limit = 4096;

/** The message of a JSON body, or its text without tags: cleaned of `secrets` and cut. Empty where there is none. */
export async function readReason(response: Pick<Response, "body">, secrets: readonly string[]): Promise<string> {
  const { text, whole } = await readStart(response);
  return clean(jsonMessage(text) ?? withoutTags(hideSecrets(text, secrets, whole)), secrets);
}

const withoutTags = (text: string) => text.replace(/<(style|script)[\s\S]*?<\/\1>/gi, " ").replace(/<[^>]*>/g, " ");

/** Text for a message: secrets replaced, control characters and line breaks gone, at most 200 characters. */
export function clean(text: string, secrets: readonly string[]): string {
  const line = hideSecrets(text.slice(0, limit), secrets, text.length <= limit)
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

function jsonMessage(text: string): string | undefined {
  try {
    const value = JSON.parse(text) as Record<string, unknown> | null;
    return [value?.message, value?.error, value?.detail].find((part) => typeof part === "string");
  } catch {
    return undefined;
  }
}
