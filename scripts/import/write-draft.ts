import { stringify } from 'yaml';
import type { Draft } from './draft.ts';

/** What an import writes: the texts of the files, by their names. A file without content is not written. */
export function filesOf(draft: Draft, source: string): Map<string, string> {
  const { providers, models } = draft;
  const catalogue = { ...section('providers', providers), ...section('models', models) };
  const account = {
    ...(Object.keys(draft.settings).length > 0 && { settings: draft.settings }),
    ...section('providerKeys', draft.providerKeys),
    ...section('projects', draft.projects),
    ...section('keys', draft.keys),
    ...section('routes', draft.routes),
  };
  const document = { apiVersion: 'tallyport/v1', kind: 'Gateway', accounts: { default: account } };
  const files: [string, object, object][] = [
    ['gateway.yaml', document, account],
    ['tallyport.yaml', catalogue, catalogue],
  ];
  return new Map(
    files.flatMap(([name, value, content]) =>
      Object.keys(content).length === 0
        ? []
        : [[name, `# Imported from ${source}\n${stringify(value, { lineWidth: 120, aliasDuplicateObjects: false })}`]],
    ),
  );
}

const section = (name: string, entries: ReadonlyMap<string, unknown>): object =>
  entries.size === 0 ? {} : { [name]: Object.fromEntries(entries) };
