import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseAllDocuments, stringify } from 'yaml';
import { findHelm } from '../support/helm.ts';
import { type Resource, resourceSchema } from './rendered.ts';

const run = promisify(execFile);

export const chartFolder = fileURLToPath(new URL('../../deploy/helm/tallyport', import.meta.url));
export const examples = fileURLToPath(new URL('../../deploy/helm/examples/', import.meta.url));

export interface Helm {
  /** The resources of the chart with the values in these files, and with these. */
  render(valueFiles: readonly string[], values?: object): Promise<readonly Resource[]>;
  /** The resources of a release of the chart with these values. */
  renderWith(values: object, release?: string): Promise<readonly Resource[]>;
  /** What `helm lint` says about the chart with these values. Rejects when it fails. */
  lint(valueFiles: readonly string[]): Promise<string>;
}

export async function openHelm(): Promise<Helm> {
  const program = await findHelm();
  const helm = async (words: readonly string[], valueFiles: readonly string[], values: object = {}) => {
    const args = [...words, '--namespace', 'tallyport', ...[...valueFiles, '-'].flatMap((file) => ['--values', file])];
    const running = run(program, args, { maxBuffer: 10_000_000 });
    running.child.stdin?.end(stringify(values));
    return (await running).stdout;
  };
  const render = async (release: string, valueFiles: readonly string[], values?: object) => {
    const documents = parseAllDocuments(await helm(['template', release, chartFolder], valueFiles, values));
    const resources = documents.map((document): unknown => document.toJS());
    return resources.filter((resource) => resource !== null).map((resource) => resourceSchema.parse(resource));
  };
  return {
    render: (valueFiles, values) => render('tallyport', valueFiles, values),
    renderWith: (values, release = 'tallyport') => render(release, [], values),
    lint: (valueFiles) => helm(['lint', chartFolder, '--strict'], valueFiles),
  };
}
