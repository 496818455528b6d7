/** Certificates for test servers, created for each test: none expires, and the repository contains no key. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** PEM texts. */
export type Certificate = { key: string; cert: string };

/** A self-signed certificate for 127.0.0.1, valid for two days. */
export const selfSigned = () => create("localhost", "IP:127.0.0.1");

/** Creates a CA: its certificate, and a function that issues certificates for subject alternative names such as `DNS:service.test`. */
export function createAuthority(): { cert: string; issue: (names: string) => Certificate } {
  const authority = create("authority of a test", "DNS:authority.test");
  return { cert: authority.cert, issue: (names) => create("service", names, authority) };
}

/** @param issuer signs the certificate, which otherwise signs itself */
function create(subject: string, names: string, issuer?: Certificate): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "certificate-"));
  const pathOf = (name: string) => join(folder, name);
  try {
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    const args = ["-subj", `/CN=${subject}`, "-addext", `subjectAltName=${names}`, "-days", "2", "-keyout", "key.pem", "-out", "cert.pem"];
    for (const [part, text] of Object.entries(issuer ?? {})) writeFileSync(pathOf(`issuer-${part}.pem`), text);
    if (issuer) args.push("-CA", "issuer-cert.pem", "-CAkey", "issuer-key.pem");
    execFileSync("openssl", ["req", "-x509", ...curve, ...args], { cwd: folder, stdio: "pipe" });
    return { key: readFileSync(pathOf("key.pem"), "utf8"), cert: readFileSync(pathOf("cert.pem"), "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
