import { chmod, rm, writeFile } from 'node:fs/promises';
import { findPrograms } from './programs.ts';
import { runToEnd } from './run-to-end.ts';

const policyPath = '/usr/sbin/policy-rc.d';

/** Whether packages can be installed: on Debian or a derivative, as root. */
export async function canInstallPackages(): Promise<boolean> {
  return process.getuid?.() === 0 && (await findPrograms(['apt-get'])) !== undefined;
}

/** Installs Debian packages without starting their daemons, because the tests run servers on free ports. */
export async function installPackages(names: readonly string[]): Promise<void> {
  process.stderr.write(`Installing ${names.join(', ')} with apt-get (once) …\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const ours = await forbidDaemons();
  try {
    await runToEnd('apt-get', ['update', '-q'], { env });
    await runToEnd('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...names], { env });
  } finally {
    if (ours) await rm(policyPath, { force: true });
  }
}

/** Debian runs this script before it starts a daemon; 101 means no. An existing script is kept. */
async function forbidDaemons(): Promise<boolean> {
  try {
    await writeFile(policyPath, '#!/bin/sh\nexit 101\n', { flag: 'wx' });
    await chmod(policyPath, 0o755);
    return true;
  } catch {
    return false;
  }
}
