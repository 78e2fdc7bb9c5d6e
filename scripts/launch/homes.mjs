import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { root } from './root.mjs';

/**
 * Environment for npm and pnpm: empty when their usual folders are writable, otherwise folders inside the checkout
 * (containers, build agents).
 */
export function writableHomes() {
  const home = process.env.HOME || homedir();
  const npmCache = process.env.npm_config_cache ?? join(home, '.npm');
  const cache = join(root, '.cache');
  return {
    ...(!isWritable(npmCache) && { npm_config_cache: join(cache, 'npm') }),
    ...(!isWritable(home) && {
      HOME: cache,
      XDG_CACHE_HOME: join(cache, 'cache'),
      XDG_CONFIG_HOME: join(cache, 'config'),
      XDG_DATA_HOME: join(cache, 'share'),
      XDG_STATE_HOME: join(cache, 'state'),
    }),
  };
}

/**
 * Tests whether a folder is writable by creating a directory in it: permission bits do not show a read-only file
 * system. For a folder that does not exist, tests the nearest existing parent.
 */
export function isWritable(path) {
  if (!existsSync(path)) return dirname(path) !== path && isWritable(dirname(path));
  try {
    rmdirSync(mkdtempSync(join(path, '.tallyport-')));
    return true;
  } catch {
    return false;
  }
}
