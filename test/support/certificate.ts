/** Certificates for test servers, created for each test: none expires, and the repository contains no key. */
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

/** A self-signed certificate for 127.0.0.1, valid for two days. */
export function selfSigned(): Certificate {
  return inFolder((openssl) => {
    openssl("req", "-x509", ...curve, "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", ...written("own"));
    return "own";
  });
}

/** Creates a CA: its certificate, and a function that issues certificates for subject alternative names such as `DNS:service.test`. */
export function createAuthority(): { cert: string; issue: (wanted?: { names: string }) => Certificate } {
  const authority = inFolder((openssl) => {
    openssl("req", "-x509", ...curve, "-days", "2", "-subj", "/CN=authority of a test", ...written("own"));
    return "own";
  });
  const issue = ({ names } = { names: "IP:127.0.0.1" }) =>
    inFolder((openssl, write) => {
      write("authority.pem", authority.cert);
      write("authority-key.pem", authority.key);
      const request = ["-new", ...curve, "-subj", "/CN=service", "-addext", `subjectAltName=${names}`];
      openssl("req", ...request, "-keyout", "issued-key.pem", "-out", "request.pem");
      const signer = ["-CA", "authority.pem", "-CAkey", "authority-key.pem", "-copy_extensions", "copy"];
      openssl("x509", "-req", "-in", "request.pem", ...signer, "-days", "2", "-out", "issued.pem");
      return "issued";
    });
  return { cert: authority.cert, issue };
}

const written = (name: string) => ["-keyout", `${name}-key.pem`, "-out", `${name}.pem`];

type OpenSsl = (...args: string[]) => void;
type Write = (file: string, text: string) => void;

/** Runs `work` in a temporary folder, and reads the certificate whose name it returns. */
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
