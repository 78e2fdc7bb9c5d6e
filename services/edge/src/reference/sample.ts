import {
  type Content,
  nameOf,
  type ReferenceOperation,
  type ReferenceDocument,
  type ReferenceSchema,
} from './document.ts';
import { variantsOf } from './type-text.ts';

/** A body to send: an example of the document, otherwise the required members. */
export interface SampleBody {
  type: string;
  value: Readonly<Record<string, unknown>>;
  /** Members of a form that are files. */
  files: readonly string[];
}

const deepest = 5;

export function sampleBody({ requestBody }: ReferenceOperation, document: ReferenceDocument): SampleBody | undefined {
  const found = Object.entries(requestBody?.content ?? {})[0];
  if (found === undefined) return undefined;
  const [type, content] = found;
  const value = exampleOf(content) ?? sampleOf({ name: 'value', schema: content.schema }, { document, depth: 0 });
  const members = typeof value === 'object' ? { ...value } : {};
  return { type, value: members, files: type === 'multipart/form-data' && 'file' in members ? ['file'] : [] };
}

const exampleOf = ({ examples = {} }: Content[string]): unknown => Object.values(examples)[0]?.value;

interface Within {
  document: ReferenceDocument;
  depth: number;
}

interface Named {
  name: string;
  schema: ReferenceSchema;
}

/** The smallest value that a reader can complete: texts are the name of their member, in capitals. */
function sampleOf({ name, schema }: Named, within: Within): unknown {
  const { document, depth } = within;
  if (depth > deepest) return {};
  if (schema.$ref !== undefined) {
    return sampleOf({ name, schema: document.components.schemas[nameOf(schema.$ref)] ?? {} }, within);
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [variant] = variantsOf(schema);
  if (variant !== undefined) return sampleOf({ name, schema: variant }, within);
  return sampleOfType({ name, schema }, within);
}

function sampleOfType({ name, schema }: Named, within: Within): unknown {
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return sampleObject(schema, within);
    case 'array':
      return [sampleOf({ name, schema: schema.items ?? {} }, { ...within, depth: within.depth + 1 })];
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1);
    case 'boolean':
      return true;
    default:
      return capitals(name);
  }
}

/** The required members; of an object without any, as of one with changes, the first. */
function sampleObject({ properties = {}, required = [] }: ReferenceSchema, { document, depth }: Within): object {
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, depth === 0 ? 1 : 0);
  return Object.fromEntries(
    names.map((name) => [name, sampleOf({ name, schema: properties[name] ?? {} }, { document, depth: depth + 1 })]),
  );
}

/** `USER_ID` of `userId`. */
const capitals = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();

/** The path with the example of each parameter, or its name in capitals. */
export const samplePath = ({ path, parameters = [] }: ReferenceOperation): string =>
  path.replaceAll(/\{(\w+)\}/g, (_text, name: string) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return parameter?.example ?? capitals(name);
  });
