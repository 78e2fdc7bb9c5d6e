// Copies the part of the workspace that one image needs: `node collect.mjs edge /image`, after
// `pnpm install --prod --filter edge...`.
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { copyNeeded, copyPackage } from './copy-package.mjs';
import { noticesOf, packageFolders } from './notices.mjs';

const workspace = fileURLToPath(new URL('../..', import.meta.url));
const scope = '@tallyport/';
const [name = '', image = ''] = process.argv.slice(2);

const folderOf = (packageName) =>
  [`services/${packageName}`, `packages/${packageName}`].find((folder) => existsSync(join(workspace, folder)));

/** The folders of a package and of the workspace packages it depends on. */
function foldersOf(packageName, found = new Map()) {
  const folder = folderOf(packageName);
  if (!folder) throw new Error(`There is no service or package named '${packageName}'.`);
  found.set(packageName, folder);
  const { dependencies = {} } = JSON.parse(readFileSync(join(workspace, folder, 'package.json'), 'utf8'));
  for (const dependency of Object.keys(dependencies)) {
    if (!dependency.startsWith(scope)) continue;
    const own = dependency.slice(scope.length);
    if (!found.has(own)) foldersOf(own, found);
  }
  return found;
}

const copy = (path) => copyNeeded(join(workspace, path), join(image, path));

rmSync(image, { recursive: true, force: true });
for (const folder of foldersOf(name).values()) copyPackage(join(workspace, folder), join(image, folder));
// The folder does not exist for a package without third-party dependencies.
if (existsSync(join(workspace, 'node_modules/.pnpm'))) copy('node_modules/.pnpm');
for (const file of ['LICENSE', 'NOTICE']) copy(file);
copy('deploy/image/health.mjs');

const node = globSync('tools/toolchain/node/node_modules/node-*', { cwd: workspace }).map((path) =>
  join(workspace, path),
);
const packages = packageFolders(join(workspace, 'node_modules/.pnpm'));
writeFileSync(join(image, 'THIRD-PARTY-NOTICES.txt'), noticesOf([...node, ...packages]));

const folder = folderOf(name);
// The image's command is the same for all services.
writeFileSync(join(image, 'start.mjs'), `await import('./${folder}/src/main.mjs');\n`);
