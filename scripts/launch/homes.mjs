import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { root } from './root.mjs';

/**
 * Where npm and pnpm may keep what they download: their usual places, or folders inside the checkout when the home cannot
 * be written (containers, build agents).
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
 * Whether files could be made there, found out by making one: permissions do not tell of read-only file systems. A folder
 * that is not there yet is judged by the nearest one that is.
 */
export function isWritable(path) {
  if (!existsSync(path)) return dirname(path) !== path && isWritable(dirname(path));
  try {
    rmdirSync(mkdtempSync(join(path, '.switchyard-')));
    return true;
  } catch {
    return false;
  }
}
