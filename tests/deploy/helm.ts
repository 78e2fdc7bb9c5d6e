import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { findHelm } from '../support/helm.ts';
import { type Resource, resourceSchema } from './rendered.ts';

const run = promisify(execFile);

export const chartFolder = fileURLToPath(new URL('../../deploy/helm/switchyard', import.meta.url));

export interface Helm {
  /** The resources of the chart with these values. */
  render(valueFiles: readonly string[]): Promise<readonly Resource[]>;
  /** What `helm lint` says about the chart with these values. Rejects when it fails. */
  lint(valueFiles: readonly string[]): Promise<string>;
}

export async function openHelm(): Promise<Helm> {
  const program = await findHelm();
  const helm = async (words: readonly string[], valueFiles: readonly string[]): Promise<string> => {
    const args = [...words, '--namespace', 'switchyard', ...valueFiles.flatMap((file) => ['--values', file])];
    return (await run(program, args, { maxBuffer: 10_000_000, timeout: 60_000 })).stdout;
  };
  return {
    async render(valueFiles) {
      const documents = parseAllDocuments(await helm(['template', 'switchyard', chartFolder], valueFiles));
      const resources = documents.map((document): unknown => document.toJS());
      return resources.filter((resource) => resource !== null).map((resource) => resourceSchema.parse(resource));
    },
    lint: (valueFiles) => helm(['lint', chartFolder, '--strict'], valueFiles),
  };
}
