/** The stand-in for the Grafana plugin: what Terraform tries again and again, for two minutes. */
import type { Call } from "../resource";
import { clock } from "./client";
import type { Clients } from "./config";

const seconds = 120;

/**
 * As `retry.RetryContext` of Terraform's SDK: at once, then after 0.5, 1, 2, 4, 8 seconds and each 10.
 *
 * @param isFinal picks the errors after which there is no further try
 * @throws what the last try threw
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
