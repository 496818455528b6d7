/** The service's reason for a rejected request, redacted. Part of the dynamic provider's code. */
import type { Response } from "undici";
import { readLimit, redactText, withoutLastRun } from "../text/redact";

/** The message of a JSON body, otherwise the first line of the text, redacted. May be empty. */
export async function readReason(response: Pick<Response, "body">, secrets: readonly string[]): Promise<string> {
  const text = await readStart(response);
  return redactText(jsonMessage(text.slice(0, readLimit)) ?? text, secrets);
}

/** The start of a body; longer than the limit if the body is. */
async function readStart({ body }: Pick<Response, "body">): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > readLimit) break;
    }
  } catch {
    // The status decides; an incomplete body only shortens the reason.
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
