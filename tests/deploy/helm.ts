import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { canInstallPackages, installPackages } from '../support/apt.ts';
import { findPrograms } from '../support/programs.ts';
import { type Resource, resourceSchema } from './rendered.ts';

const run = promisify(execFile);
const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export const chartFolder = pathOf('../../deploy/helm/switchyard');

/** Renders the chart with these values. */
export type ChartRenderer = (valueFiles: readonly string[]) => Promise<readonly Resource[]>;

/** Renders with helm, or else with the libraries that helm is made of, which Debian has. */
export async function chartRenderer(): Promise<ChartRenderer> {
  const [helm] = (await findPrograms(['helm'])) ?? [];
  const { program, words, environment } = helm ? withHelm(helm) : await withEngine();
  return async (valueFiles) => {
    const args = [...words, ...valueFiles.flatMap((file) => (helm ? ['--values', file] : [file]))];
    const { stdout } = await run(program, args, { env: { ...process.env, ...environment }, maxBuffer: 10_000_000 });
    const resources = parseAllDocuments(stdout).map((document): unknown => document.toJS());
    return resources.filter((resource) => resource !== null).map((resource) => resourceSchema.parse(resource));
  };
}

interface Program {
  program: string;
  words: readonly string[];
  environment: NodeJS.ProcessEnv;
}

const withHelm = (program: string): Program => ({
  program,
  words: ['template', 'switchyard', chartFolder, '--namespace', 'switchyard'],
  environment: {},
});

const enginePackages = ['golang-go', 'golang-github-masterminds-sprig-dev', 'golang-k8s-sigs-yaml-dev'];
/** Where Debian installs the sources of Go packages. */
const goPath = '/usr/share/gocode';

async function withEngine(): Promise<Program> {
  const program = (await findEngine()) ?? (await installEngine());
  return {
    program,
    words: ['run', pathOf('helm-engine/main.go'), chartFolder, 'switchyard'],
    environment: { GO111MODULE: 'off', GOPATH: goPath },
  };
}

async function findEngine(): Promise<string | undefined> {
  const sprig = existsSync(join(goPath, 'src/github.com/Masterminds/sprig'));
  const [go] = (await findPrograms(['go'])) ?? [];
  return sprig ? go : undefined;
}

async function installEngine(): Promise<string> {
  if (!(await canInstallPackages())) throw new Error('These tests need helm: install it.');
  await installPackages(enginePackages);
  const found = await findEngine();
  if (found === undefined) throw new Error(`${enginePackages.join(', ')} do not contain Go and Sprig.`);
  return found;
}
