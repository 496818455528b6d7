/**
 * Redacts untrusted text. A server may return the secrets of a request, encoded and split in ways that cannot be listed, so only words of a list
 * are shown.
 */

/** Replaces a text of which nothing is shown, whether or not it is a secret. */
export const redacted = "[redacted]";

/** The maximum number of characters that are shown. */
const shownLimit = 200;

/** Words and statuses in the messages of services, of Grafana, and of the stores behind it; without apostrophes. */
const words = `
  400 401 403 404 407 429 500 502 503 504 a accepted access account action additional address admin again alert alerting alertmanager all
  allow allowed already an and another any api apikey application are as at attempt auth authenticated authentication authority
  authorization authorized available awaiting backend bad be because been before body broken busy but by can cancelled cannot cant
  certificate change changed character characters check client close closed code configuration conflict conflicts connect connected
  connecting connection connections contact content context could create created creating credentials dashboard dashboards data database
  datasource datasources deadline delete deleted denied deny details dial disabled dns do does doesnt down duplicate echo empty enabled end
  endpoint entity eof error errors exceed exceeded exceeds exist existing exists expect expected expired fail failed field folder folders
  for forbidden format found from gateway gave get grafana group groups handshake has have header headers host hostname http https i/o id
  if implemented in include input insufficient internal into invalid ip is isnt issue it its json key keys large later length limit limits
  load loaded log login logs logsurl logsusername loki long lookup lost many match maximum may media memory message metadata method metric
  metrics metricsurl metricsusername mimir mismatch missing more moved must name names need needed needs network new no none not now
  occurred of off on one only or org organization other out over parameter parse parsing password path payload peer perform permission
  permissions pipe platform please port post present prometheus protocol provisioning proxy queries query querying quota rate reach
  reachable read reading received receiver refused rejected remote request requested requests required reset resource resources response
  responses result retry return returned revoked role route rule rulegroup rules same scope series server service services should signed
  size so some someone source stack state status stream streams successfully such support supported tcp tempo temporarily tenant text that
  the then there this time timed timeout title tls to token tokens too trace traces try tunneling type uid unable unauthorized unavailable
  under unexpected unique unknown unreachable unsupported update updated uri url used user username using valid validation value verify
  version via wait was we were when where which while why will with within without working write wrong x509 you youll your
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
