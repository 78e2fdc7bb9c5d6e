import { nameOf, type ReferenceSchema } from './document.ts';

const mostValues = 12;

/** The type of a value in a few words, such as `array of strings or null`. */
export function typeText(schema: ReferenceSchema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return valuesText(schema.enum);
  const variants = variantsOf(schema);
  if (variants.length > 0) return [...new Set(variants.map(typeText))].join(' or ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeText({ ...schema, type })).join(' or ');
  if (schema.type === 'array') return schema.items === undefined ? 'array' : `array of ${typeText(schema.items)}`;
  return schema.type === 'object' ? objectText(schema) : (schema.type ?? 'any value');
}

const objectText = ({ properties, additionalProperties: values }: ReferenceSchema): string =>
  properties === undefined && typeof values === 'object' && values.type !== undefined
    ? `map to ${typeText(values)}`
    : 'object';

export const variantsOf = ({ anyOf, oneOf }: ReferenceSchema): readonly ReferenceSchema[] => anyOf ?? oneOf ?? [];

function valuesText(values: readonly unknown[]): string {
  const shown = values.slice(0, mostValues).map((value) => JSON.stringify(value));
  return [...shown, ...(values.length > mostValues ? [`${values.length - mostValues} more`] : [])].join(' or ');
}

/** What a value must obey beside its type. */
export function boundsText(schema: ReferenceSchema): string {
  const bounds = [
    rangeText('', { least: schema.minimum, most: schema.maximum }),
    schema.exclusiveMinimum !== undefined && `more than ${schema.exclusiveMinimum}`,
    schema.exclusiveMaximum !== undefined && `less than ${schema.exclusiveMaximum}`,
    rangeText(' characters', { least: schema.minLength, most: schema.maxLength }),
    rangeText(' items', { least: schema.minItems, most: schema.maxItems }),
    schema.format,
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
  ];
  return bounds.filter((bound) => bound !== undefined && bound !== false).join(', ');
}

/** zod names the largest safe integers in each schema of an integer. */
const isSaid = (bound: number | undefined): boolean => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

function rangeText(unit: string, { least, most }: Record<'least' | 'most', number | undefined>): string | undefined {
  if (isSaid(least) && isSaid(most)) return least === most ? `${least}${unit}` : `${least} to ${most}${unit}`;
  if (isSaid(most)) return `at most ${most}${unit}`;
  return isSaid(least) ? `at least ${least}${unit}` : undefined;
}
