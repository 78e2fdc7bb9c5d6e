import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToEnd } from '../support/run-to-end.ts';
import { testProgram } from '../support/test-programs.ts';

/** A certificate authority, and a certificate of it for localhost only. Files in PEM. */
export interface Certificates {
  authority: string;
  certificate: string;
  key: string;
  directory: string;
  remove(): Promise<void>;
}

export async function makeCertificates(): Promise<Certificates> {
  const openssl = await testProgram('openssl');
  const directory = await mkdtemp(join(tmpdir(), 'tallyport-certificates-'));
  const path = (name: string): string => join(directory, name);
  const request = (...args: readonly string[]) => runToEnd(openssl, ['req', '-newkey', 'rsa:2048', '-nodes', ...args]);
  await request(
    '-x509',
    '-days',
    '2',
    '-subj',
    '/CN=test authority',
    '-keyout',
    path('ca.key'),
    '-out',
    path('ca.pem'),
  );
  await request('-subj', '/CN=localhost', '-keyout', path('key.pem'), '-out', path('request.pem'));
  await writeFile(path('extensions'), 'subjectAltName=DNS:localhost\n');
  const issued = ['-CA', path('ca.pem'), '-CAkey', path('ca.key'), '-CAcreateserial', '-days', '2'];
  const files = ['-in', path('request.pem'), '-extfile', path('extensions'), '-out', path('certificate.pem')];
  await runToEnd(openssl, ['x509', '-req', ...issued, ...files]);
  return {
    authority: path('ca.pem'),
    certificate: path('certificate.pem'),
    key: path('key.pem'),
    directory,
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
