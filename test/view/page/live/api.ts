/** Requests to Grafana. */

/** @throws Error with Grafana's message */
export async function getJson<T>(url: string): Promise<T> {
  const response = await fetch(url, { headers: { Accept: "application/json" } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url.split("?")[0]} responds with ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}
