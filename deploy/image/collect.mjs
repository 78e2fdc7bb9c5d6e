// Copies the part of the workspace that one image needs: `node collect.mjs edge /image`, after
// `pnpm install --prod --filter edge...`.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { allInOneFlags, serviceFlags } from '../../scripts/launch/node-flags.mjs';

const workspace = fileURLToPath(new URL('../..', import.meta.url));
const scope = '@switchyard/';
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

/**
 * Keeps symbolic links: Node strips types only from files outside of node_modules, so our packages must stay linked.
 */
function copy(path) {
  const to = join(image, path);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(join(workspace, path), to, { recursive: true, verbatimSymlinks: true, filter: isNeeded });
}

/** Leaves out the source maps of third-party packages, and our files that only tests need. */
const isNeeded = (path) =>
  path.includes('/node_modules/')
    ? !path.endsWith('.map')
    : !/\.(test|suite)\.ts$|\/(testing|__snapshots__)$/.test(path);

rmSync(image, { recursive: true, force: true });
for (const folder of foldersOf(name).values()) copy(folder);
// The folder does not exist for a package without third-party dependencies.
if (existsSync(join(workspace, 'node_modules/.pnpm'))) copy('node_modules/.pnpm');
copy('.env.example');
copy('deploy/image/health.mjs');

const folder = folderOf(name);
// The image's command is the same for all services. NODE_OPTIONS has the shared flags; the entry file sets the others.
const flags = name === 'all-in-one' ? allInOneFlags.filter((flag) => !serviceFlags.includes(flag)) : [];
const setFlags = flags.map((flag) => `setFlagsFromString('${flag}');\n`).join('');
const start = `${setFlags && "import { setFlagsFromString } from 'node:v8';\n"}${setFlags}await import('./${folder}/src/main.ts');\n`;
writeFileSync(join(image, 'start.mjs'), start);
// Runs once during the build to fill Node's compile cache. It loads the module without starting the service, and the
// files of threads, which do nothing outside of a thread.
const { exports } = JSON.parse(readFileSync(join(workspace, folder, 'package.json'), 'utf8'));
const threads = globSync('packages/*/src/**/*.worker.ts', { cwd: image });
const loaded = [join(folder, exports['.']), ...threads];
writeFileSync(join(image, 'warm.mjs'), loaded.map((file) => `await import('./${file}');\n`).join(''));
