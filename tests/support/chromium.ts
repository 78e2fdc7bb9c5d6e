import { chromium, type Browser } from 'playwright-core';
import { canInstallPackages, installPackages } from './apt.ts';
import { findPrograms } from './programs.ts';

/** The first one has no windows, and takes half of the processor time for a page. */
const headless = 'chromium-headless-shell';
const names = [headless, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Disables background requests, and allows to run as root without a display. */
const quiet = '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking';
const flags = [...quiet.split(' '), '--disable-component-update', '--disable-sync'];

/** Starts an installed Chromium, or installs it from Debian. The caller must close it. */
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
  if (!(await canInstallPackages()))
    throw new Error('The tests of pages need a browser: install chromium-headless-shell or chromium.');
  await installPackages([headless]);
  const found = await findChromium();
  if (found === undefined) throw new Error('The package chromium-headless-shell does not contain it.');
  return found;
}
