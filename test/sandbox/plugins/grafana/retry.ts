/** The stand-in for the Grafana plugin: the retries of Terraform's SDK, on top of those of the API client. */
import type { Call } from "../resource";
import { clock } from "./client";
import type { Clients } from "./config";

const seconds = 120;

/**
 * `retry.RetryContext`: retries for two minutes, after 0.5, 1, 2, 4, 8 and then each 10 seconds.
 *
 * @param isFinal whether an error ends the retries
 * @throws the last error
 */
export async function retried<T>({ signal }: Call<Clients>, work: () => Promise<T>, isFinal: (error: unknown) => boolean): Promise<T> {
  const end = clock.now() + seconds;
  for (let wait = 0.5; ; wait = Math.min(2 * wait, 10)) {
    try {
      return await work();
    } catch (error) {
      const left = end - clock.now();
      if (isFinal(error) || left <= 0 || signal.aborted) throw error;
      await clock.pause(Math.min(wait, left), signal);
      if (wait >= left) throw error;
    }
  }
}
