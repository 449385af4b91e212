import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Files of a certificate for this machine's loopback, which is its own authority. */
export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Makes a certificate that is good for two days, in this folder. */
export function makeCertificate(folder: string): Certificate {
  const certFile = join(folder, 'cert.pem');
  const keyFile = join(folder, 'key.pem');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const args = ['req', '-x509', ...key, ...names, '-days', '2', '-out', certFile];
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  return { certFile, keyFile };
}
