/**
 * Redacts untrusted text. A server may return the secrets of a request, encoded and split in ways that cannot be listed, so only words of a list
 * are shown. Part of the dynamic provider's code (see `connection/exchange.ts`).
 */

/** Replaces a text of which nothing is shown, whether or not it is a secret. */
export const redacted = "[redacted]";

/** The maximum number of characters that are shown. */
const shownLimit = 200;

/** Words and statuses in the messages of services, of Grafana, and of the stores behind it; without apostrophes. */
const words = `
  400 401 403 404 407 429 500 502 503 504 a about acceptable accepted access account action active additional address admin administrator
  affects again alert alerting alertmanager all allow allowed already an and another any api apikey application are array as at attempt
  auth authenticated authentication authority authorization authorized available awaiting backend bad be because been before body boolean
  busy but by calculate can canceled cancelled cannot cant certificate change changed character characters check client close closed code
  collector configuration conflict conflicting conflicts connect connected connecting connection connections contact contain contains
  content context could create created creating credentials dashboard dashboards data database datasource datasources deadline decode
  delete deleted denied deny details dial did different disabled dns do does doesnt down duplicate echo else empty enabled end endpoint
  entity eof error errors evaluation event exceed exceeded exceeds execution exist existing exists expect expected expired expression fail
  failed fails failure feature field fields find folder folders for forbidden format found from gateway gave get given gone got grafana
  group groups handshake has have header headers host hostname http https i/o id if implemented in include incorrect input insert instance
  instances instead insufficient internal into invalid ip is isnt issue it its json key keys label labels large later least length less
  limit limits load loaded locked log logged login logs logsurl logsusername loki long longer looking lookup lost maintenance malformed
  many match max maximum may media memory message metadata method metric metrics metricsurl metricsusername mimir min minimum misbehaving
  mismatch missing more most moved multiple must name names need needed needs network new no none not now null number object occurred of
  off on once one only operation or org organisation organization other out over overloaded page parameter parameters parse parsing
  password path payload peer per perform permission permissions pipe platform please point points policies policy port post precondition
  present process processing prometheus protocol provisioning proxy queries query querying queue quota range rate reach reachable read
  reading received receiver refused rejected remote request requested requests required reset resource resources response responses result
  results retry return returned revoked role route rule rulegroup rules same sample samples save saved scope scopes series server service
  services should signed size small so some someone source stack state status storage stream streams string subscription successfully such
  support supported syntax tcp tempo temporarily tenant text than that the their them then there this time timed timeout title tls to token
  tokens too trace traces try trying tunneling twice type uid unable unauthorized unavailable under unexpected unique unknown unprocessable
  unreachable unsupported until update updated upgrade uri url use used user username users using valid validation value values verify
  version via wait was we were when where which while why will with within without working would write wrong x509 you youll your
`;

const word = `(?:${words.trim().split(/\s+/).join("|")})`;
const plain = new RegExp(`^(?:${word}(?:[.:/_-]+${word})*[.,:;!?]*|-)$`, "i");

/**
 * The first line of a text, without all that consists of other than plain words: `…` replaces it. A text that contains a secret, or no plain
 * word, is replaced completely.
 *
 * @param secrets the known secrets, which can consist of plain words
 */
export function redactText(text: string, secrets: readonly string[]): string {
  const [line = ""] = text.trim().split(/[\r\n]/);
  if (line === "") return "";
  const shown = line
    .replace(/["()[\]]/g, "")
    .split(/\s+/)
    .map((run) => (plain.test(run.replaceAll("'", "")) ? run : "…"))
    .join(" ")
    .replace(/…(?: …)+/g, "…");
  if (holdsSecret(text, secrets) || !/\w/.test(shown)) return redacted;
  return shown.length > shownLimit ? `${shown.slice(0, shownLimit - 2).replace(/\s\S*$/, "")} …` : shown;
}

/**
 * Whether a text contains a secret, in any case and with any signs between its letters and digits. A word of fewer than 8 letters, or a secret
 * with fewer than 5 letters and digits, is not found: ordinary texts contain it by chance, and hiding them would reveal it.
 */
export function holdsSecret(text: string, secrets: readonly string[]): boolean {
  const seen = lettersOf(text);
  return secrets.some((secret) => lettersOf(secret).length >= (/^\p{L}+$/u.test(secret) ? 8 : 5) && seen.includes(lettersOf(secret)));
}

const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
