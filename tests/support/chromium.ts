import { chromium, type Browser } from 'playwright-core';
import { testProgram } from './test-programs.ts';

/** Disables background requests, and allows to run as root without a display. */
const quiet = '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking';
const flags = [...quiet.split(' '), '--disable-component-update', '--disable-sync'];

/** Starts an installed Chromium. The caller must close it. */
export async function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: await testProgram('chromium'), args: flags });
}
