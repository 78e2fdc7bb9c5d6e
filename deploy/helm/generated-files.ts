import { Document, isMap, isScalar, type Pair, type YAMLMap } from 'yaml';
import { z } from 'zod';
import type { Base } from './base.ts';
import { compactService, formTemplates } from './compact.ts';
import { yamlOptions } from './marks.ts';
import { sharedTemplate } from './service-template.ts';
import { statePolicies } from './state-policies.ts';
import { defaultValues, valuesSchema } from './values.ts';
import { schemaRows } from './values-table.ts';

const origin = 'Generated from deploy/k8s/base by `npm run docs`.';

/** All generated files of the chart: their contents by path in the chart. */
export function generatedFiles(base: Base, compact: Base): ReadonlyMap<string, string> {
  const names = base.services.map(({ name }) => name);
  const template = (text: string): string => `{{- /* ${origin} */}}\n${text}`;
  return new Map([
    ['values.yaml', valuesFile(base, compact)],
    ['values.schema.json', `${JSON.stringify(valuesJsonSchema(), null, 2)}\n`],
    ['templates/shared.yaml', template(sharedTemplate(base.shared, names))],
    ['templates/state-policies.yaml', template(statePolicies(base.services, compact.services))],
    ...formTemplates(base, compact).map(([name, text]) => [`templates/${name}.yaml`, template(text)] as const),
  ]);
}

/** The schema by which helm checks values. Helm adds `global` for charts that contain this one. */
function valuesJsonSchema(): object {
  const { properties, ...schema } = z.toJSONSchema(valuesSchema, { target: 'draft-7' });
  return { ...schema, properties: { ...properties, global: { type: 'object' } } };
}

/** values.yaml: the defaults with the descriptions of the schema as comments; those of services at the first one. */
function valuesFile(base: Base, compact: Base): string {
  const document = new Document(defaultValues(base, compactService(compact)), yamlOptions);
  document.commentBefore = ` Values of the chart, described in README.md.\n ${origin}`;
  const first = base.services[0]?.name ?? '';
  for (const { path, description } of schemaRows()) {
    const keys = path.split('.').map((key) => (key === '<name>' ? first : key));
    const pair = pairAt(document.contents, keys);
    if (pair && isScalar(pair.key)) pair.key.commentBefore = ` ${description}`;
  }
  return document.toString(yamlOptions);
}

function pairAt(map: unknown, [key, ...rest]: readonly string[]): Pair | undefined {
  if (!isMap(map)) return undefined;
  const pair = (map as YAMLMap).items.find((item) => isScalar(item.key) && item.key.value === key);
  return rest.length === 0 ? pair : pairAt(pair?.value, rest);
}
