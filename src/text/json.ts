/** The value of a JSON text; undefined if the text is no JSON. Part of the dynamic provider's code. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
