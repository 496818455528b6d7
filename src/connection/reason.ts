/** The service's own reason for a refusal, made safe to show. Part of the dynamic provider's code, like `exchange.ts`: Node's globals only. */
import { readLimit, redactText, withoutLastRun } from "../text/redact";

/** The message of a JSON body, or else the first line of its text, as `redactText` shows it. Empty where there is none. */
export async function readReason(response: Pick<Response, "body">, secrets: readonly string[]): Promise<string> {
  const text = await readStart(response);
  return redactText(jsonMessage(text.slice(0, readLimit)) ?? text, secrets);
}

/** The start of a body, longer than the limit where it goes on. */
async function readStart(response: Pick<Response, "body">): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    const reader = response.body?.getReader();
    for (let part = await reader?.read(); part && !part.done && text.length <= readLimit; part = await reader?.read()) {
      text += decoder.decode(part.value, { stream: true });
    }
    reader?.cancel().catch(() => undefined);
  } catch {
    // The status has been read and decides; a body that breaks off only shortens the reason.
    return withoutLastRun(text.slice(0, readLimit));
  }
  return text.slice(0, readLimit + 1);
}

function jsonMessage(text: string): string | undefined {
  try {
    const value = JSON.parse(text) as Record<string, unknown> | null;
    return [value?.message, value?.error, value?.detail].find((part) => typeof part === "string");
  } catch {
    return undefined;
  }
}
