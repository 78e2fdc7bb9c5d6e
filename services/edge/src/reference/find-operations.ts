import { addressOf, type Area } from './areas.ts';
import { nameOf, type ReferenceOperation, type ReferenceDocument, type ReferenceSchema } from './document.ts';

export interface Reference {
  document: ReferenceDocument;
  areas: readonly Area[];
}

interface FoundOperation {
  area: Area;
  operation: ReferenceOperation;
  href: string;
}

export const longestQuery = 100;
const mostFound = 40;

/** The operations that have each word of a text: first those with all of them in name, address or summary. */
export function findOperations({ document, areas }: Reference, text: string): FoundOperation[] {
  const words = text.toLowerCase().slice(0, longestQuery).split(/\s+/).filter(Boolean);
  const all = areas.flatMap((area) =>
    area.operations.map((operation) => ({ area, operation, href: addressOf(area, operation) })),
  );
  const has = (found: FoundOperation, textOf: (found: FoundOperation) => string) => {
    const content = textOf(found).toLowerCase();
    return words.every((word) => content.includes(word));
  };
  const near = all.filter((found) => has(found, chiefText));
  const far = all.filter((found) => !near.includes(found) && has(found, (each) => wholeText(each, document)));
  return [...near, ...far].slice(0, mostFound);
}

const chiefText = ({ area, operation: { operationId, method, path, summary } }: FoundOperation): string =>
  [area.title, operationId, method, path, summary].join(' ');

const wholeText = (found: FoundOperation, document: ReferenceDocument): string =>
  [
    chiefText(found),
    found.operation.description ?? '',
    ...(found.operation.parameters ?? []).map(({ name, description = '' }) => `${name} ${description}`),
    ...Object.values(found.operation.requestBody?.content ?? {}).flatMap(({ schema }) => membersOf(schema, document)),
  ].join(' ');

function membersOf(schema: ReferenceSchema, { components }: ReferenceDocument): string[] {
  const target = schema.$ref === undefined ? schema : components.schemas[nameOf(schema.$ref)];
  return Object.keys(target?.properties ?? {});
}
