import { isObject } from '@tallyport/sandbox';

/** Members whose keys are chosen by the client. */
const opaque = new Set(['args', 'response', 'labels', 'parametersJsonSchema', 'responseJsonSchema', 'properties']);

/** Converts snake case, which the vendor also accepts, to camel case. */
export function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const spelled = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [spelled, opaque.has(spelled) ? inner : camelCased(inner)];
    }),
  );
}
