/** Certificates for servers of tests, made anew each time: nothing to expire, no key in the repository. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** PEM texts. */
export interface Certificate {
  key: string;
  cert: string;
}

const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** Valid for 127.0.0.1 and two days. */
export function selfSigned(): Certificate {
  return inFolder((openssl) => {
    openssl("req", "-x509", ...curve, "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", ...written("own"));
    return "own";
  });
}

/** What a certificate of an authority is for; by default for 127.0.0.1 and two days. */
export interface Wanted {
  /** Other names than that address, as `DNS:service.test`. */
  names?: string;
  /** It was valid until yesterday. */
  expired?: boolean;
}

/** An own authority: its certificate, and what signs others with it. */
export function createAuthority(): { cert: string; issue: (wanted?: Wanted) => Certificate } {
  const authority = inFolder((openssl) => {
    openssl("req", "-x509", ...curve, "-days", "2", "-subj", "/CN=authority of a test", ...written("own"));
    return "own";
  });
  const issue = ({ names = "IP:127.0.0.1", expired = false }: Wanted = {}) =>
    inFolder((openssl, write) => {
      write("authority.pem", authority.cert);
      write("authority-key.pem", authority.key);
      const request = ["-new", ...curve, "-subj", "/CN=service", "-addext", `subjectAltName=${names}`];
      openssl("req", ...request, "-keyout", "issued-key.pem", "-out", "request.pem");
      const signer = ["-CA", "authority.pem", "-CAkey", "authority-key.pem", "-copy_extensions", "copy"];
      openssl("x509", "-req", "-in", "request.pem", ...signer, "-days", expired ? "-1" : "2", "-out", "issued.pem");
      return "issued";
    });
  return { cert: authority.cert, issue };
}

const written = (name: string) => ["-keyout", `${name}-key.pem`, "-out", `${name}.pem`];

type OpenSsl = (...args: string[]) => void;
type Write = (file: string, text: string) => void;

/** Runs `work` in a folder that is gone afterwards, and reads the pair that it names. */
function inFolder(work: (openssl: OpenSsl, write: Write) => string): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "certificate-"));
  try {
    const name = work(
      (...args) => void execFileSync("openssl", args, { cwd: folder, stdio: "pipe" }),
      (file, text) => writeFileSync(join(folder, file), text),
    );
    const read = (file: string) => readFileSync(join(folder, file), "utf8");
    return { key: read(`${name}-key.pem`), cert: read(`${name}.pem`) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
