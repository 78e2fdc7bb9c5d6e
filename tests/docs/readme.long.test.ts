import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preparedDirectory } from '@tallyport/database/testing';
import { basePathOf, type Simulator, startSimulator } from '@tallyport/simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { neutralEnvironment } from '../../scripts/distributed/settings.ts';
import { type OneProcess, startOneProcess } from '../gateway/one-process.ts';
import { freePort } from '../support/probe.ts';
import { runToEnd } from '../support/run-to-end.ts';
import { blocksOf } from './markdown.ts';
import { commandsOf } from './readme-commands.ts';

// Long: it starts and stops the program as README says.
// About: README.md, services/all-in-one/src, scripts/launch.

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const commands = [...new Set(commandsOf(readme))];

/** Commands that are only checked, and why. */
const notRun: Readonly<Record<string, string>> = {
  'PORT=5000 npm start': 'this test sets PORT to a free port',
  'npm test': 'it would run this test',
  'npm i --prefix ../hello openai': 'it needs the registry; this test links the SDK of the repository',
  'docker compose up all-in-one': 'it needs a Docker engine: see tests/deploy/compose-up.test.ts',
  'docker compose up --build': 'it needs a Docker engine: see tests/deploy/compose-up.test.ts',
  'kubectl apply --kustomize deploy/k8s/overlays/dev':
    'it needs a cluster: tests/deploy/kubernetes.test.ts renders the overlay',
  'helm install tallyport deploy/helm/tallyport --values your-values.yaml':
    'it needs a cluster: tests/deploy/helm.test.ts renders the chart',
};
/** Programs that could change more than this test's own folder. */
const isForeign = (command: string): boolean => /^(?:docker|kubectl|helm) /.test(command);
const run = commands.filter((command) => !(command in notRun || isForeign(command)));

/** What the README promises of a command that contains the words: a part of its output. */
const promises: readonly (readonly [words: string, output: RegExp])[] = [
  ['node ../hello/hello.mjs', /simulated answer from sandbox-/],
  [
    'status:503',
    /x-tallyport-attempts: 2\r?\n(?=[^]*"answered by sandbox-b after sandbox-a failed")[^]*"sandbox-a"[^}]*503[^}]*}[^}]*"sandbox-b"[^}]*200/,
  ],
  ['tools/list', /"name":"generate-image"/],
  ['openai/gpt-6-luna', /"used_provider":"openai"/],
  ['npm run demo-data', /open \/dashboard\/account_demo\n|Removed \d{4} requests/],
  ['support bot', /"name":"support bot"[^]*"url":"http:\S+\/invitations\//],
  ['group_by=model', /"group":"gpt-6-luna"/],
];

describe('the README', () => {
  test('has commands of each kind', () => {
    expect(run.length).toBeGreaterThan(10);
    const unused = promises.filter(([words]) => !run.some((command) => command.includes(words)));
    expect(unused).toEqual([]);
  });

  test('has the commands that are not run, and what they name', () => {
    expect(Object.keys(notRun).filter((command) => !commands.includes(command))).toEqual([]);
    expect(commands.filter((command) => isForeign(command) && !(command in notRun))).toEqual([]);
    const compose = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'));
    expect(Object.keys(compose.services)).toContain('all-in-one');
    const files = ['deploy/k8s/overlays/dev/kustomization.yaml', 'deploy/helm/tallyport/Chart.yaml'];
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

/** One reader, who follows the README from its first line to the last one. */
describe('its commands, in their order', () => {
  let home: string;
  let folder: string;
  let data: string;
  let ports: { PORT: string; ADMIN_PORT: string; SANDBOX_PORT: string };
  let vendor: Simulator;
  let running: OneProcess | undefined;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'tallyport-readme-'));
    const hello = join(home, 'hello');
    await mkdir(hello);
    await symlink(join(root, 'node_modules'), join(hello, 'node_modules'));
    const [program] = blocksOf(readme).filter(({ language }) => language === 'js');
    await writeFile(join(hello, 'hello.mjs'), program?.text ?? '');
    // Like the repository, but with data and files of its own.
    folder = join(home, 'tallyport');
    await mkdir(folder);
    for (const name of ['node_modules', 'package.json', 'scripts']) await symlink(join(root, name), join(folder, name));
    data = await preparedDirectory();
    await symlink(data, join(folder, 'data'));
    const [api, admin, sandbox] = await Promise.all([freePort(), freePort(), freePort()]);
    ports = { PORT: `${api}`, ADMIN_PORT: `${admin}`, SANDBOX_PORT: `${sandbox}` };
    vendor = await startSimulator({ apiKeys: ['sk-your-key'], chunksPerSecond: 0 });
  });
  afterAll(async () => {
    await running?.stop();
    await vendor?.close();
    for (const path of [data, home]) await rm(path, { recursive: true, force: true });
  });

  /** The only change of a command: free ports instead of the usual ones. */
  const withPorts = (text: string): string =>
    text
      .replaceAll('127.0.0.1:4000', `127.0.0.1:${ports.PORT}`)
      .replaceAll('127.0.0.1:4010', `127.0.0.1:${ports.SANDBOX_PORT}`);

  /** Starts the program of `npm start` with the variables before the command. The vendor is the simulated one. */
  async function start(text: string): Promise<void> {
    const variables = Object.fromEntries(
      [...text.matchAll(/([A-Z_]+)=(\S+) /g)].map(([, name, value]) => [name, value]),
    );
    await running?.stop();
    const OPENAI_BASE_URL = vendor.url + basePathOf('openai');
    running = await startOneProcess({ ...ports, ...variables, OPENAI_BASE_URL, DATA_DIR: data });
  }

  /** Runs a command in a shell that has the variables that earlier ones exported. An error status of HTTP is a failure. */
  const runInShell = (text: string): Promise<string> => {
    const script = `set -euo pipefail
      curl() { command curl --silent --show-error --fail-with-body --max-time 20 "$@"; echo; }
      if [ -e exported ]; then . ./exported; fi
      ${withPorts(text)}
      export -p > exported`;
    const env = { ...neutralEnvironment(), DATA_DIR: data };
    return runToEnd('bash', ['-c', script], { cwd: folder, env });
  };

  test.for(run.map((command, at) => ({ command, title: `${at + 1}. ${command.split('\n')[0]}` })))(
    '$title',
    async ({ command }) => {
      if (command.endsWith('npm start')) return start(command);
      const output = await runInShell(command);
      const promised = promises.filter(([words]) => command.includes(words));
      expect(promised.filter(([, text]) => !text.test(output)).map(([words]) => [words, output])).toEqual([]);
    },
  );

  test('left an image and the usage as CSV', async () => {
    const image = await readFile(join(folder, 'fox.png'));
    expect(image.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001A\n');
    expect(await readFile(join(folder, 'usage.csv'), 'utf8')).toMatch(/^at,[^]*sandbox-b/);
  });
});
