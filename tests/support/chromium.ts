import { chromium, type Browser } from 'playwright-core';
import { canInstallPackages, installPackages } from './apt.ts';
import { findPrograms } from './programs.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Everything it would ask its makers for, and what root and a machine without a screen need. */
const quiet = '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking';
const flags = [...quiet.split(' '), '--disable-component-update', '--disable-sync'];

/** A Chromium of the machine, or of Debian. Whoever asks closes it. */
export async function startChromium(): Promise<Browser> {
  const executablePath = (await findChromium()) ?? (await installChromium());
  return chromium.launch({ executablePath, args: flags });
}

async function findChromium(): Promise<string | undefined> {
  for (const name of names) {
    const found = await findPrograms([name]);
    if (found) return found[0];
  }
  return undefined;
}

async function installChromium(): Promise<string> {
  if (!(await canInstallPackages())) throw new Error('The tests of pages need a browser: install chromium.');
  await installPackages(['chromium']);
  const found = await findChromium();
  if (found === undefined) throw new Error('The package chromium did not bring chromium.');
  return found;
}
