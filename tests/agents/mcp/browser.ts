import { appendFile, chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** A simulated browser, installed in a home folder. */
export interface HomeBrowser {
  /** Makes programs open this browser instead of the one of the machine. */
  environment: Readonly<Record<string, string>>;
  /** One line per visit: the origin and `allowed`, or the address and the reason of the failure. */
  visits(): Promise<string[]>;
}

/** Installs a browser in which the first owner signs in and grants every request. */
export async function installBrowser(home: string): Promise<HomeBrowser> {
  const folder = join(home, 'bin');
  const log = join(home, 'visits.log');
  await mkdir(folder);
  await writeFile(log, '');
  const [node, script] = [process.execPath, join(import.meta.dirname, 'visit.ts')];
  // macOS finds the browser as `open`, Linux as $BROWSER.
  const browser = join(folder, 'open');
  await writeFile(browser, `#!/bin/sh\nexec '${node}' '${script}' '${log}' "$@"\n`);
  await chmod(browser, 0o755);
  return {
    environment: { PATH: [folder, process.env.PATH].join(delimiter), BROWSER: browser },
    async visits() {
      const text = await readFile(log, 'utf8');
      return text.split('\n').filter(Boolean);
    },
  };
}

export const recordVisit = (log: string, text: string): Promise<void> =>
  appendFile(log, `${text.replaceAll('\n', ' ')}\n`);
