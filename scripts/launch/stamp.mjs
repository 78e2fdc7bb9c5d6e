import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/**
 * Names what node_modules is installed from: lock file, manifests, and pnpm's settings with the version of Node; the
 * platform; and the scope, `production` or `all`.
 */
export function stampOf(checkout, scope) {
  const hash = createHash('sha256');
  for (const path of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', ...manifests(checkout)]) {
    hash.update(readFileSync(join(checkout, path)));
  }
  return `${hash.digest('hex')} ${process.platform}-${process.arch} ${scope}\n`;
}

function manifests(checkout) {
  return ['packages', 'services'].flatMap((folder) =>
    readdirSync(join(checkout, folder))
      .map((name) => join(folder, name, 'package.json'))
      .filter((path) => existsSync(join(checkout, path))),
  );
}

export const writeStamp = (checkout, stamp) => writeFileSync(pathOf(checkout), stamp);

/** Whether node_modules has the dependencies of this scope. */
export function dependenciesFit(checkout, scope) {
  const stamp = readStamp(checkout);
  return stamp === stampOf(checkout, 'all') || stamp === stampOf(checkout, scope);
}

/** A checkout that has the development dependencies keeps them. */
export const scopeToInstall = (checkout, scope) => (readStamp(checkout).endsWith(' all\n') ? 'all' : scope);

function readStamp(checkout) {
  try {
    return readFileSync(pathOf(checkout), 'utf8');
  } catch {
    return '';
  }
}

const pathOf = (checkout) => join(checkout, 'node_modules/.tallyport');
