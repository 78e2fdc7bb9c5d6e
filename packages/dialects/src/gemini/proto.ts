import { z } from 'zod';
import { camelName } from '../camel-name.ts';

/** A protobuf message in JSON: its members may be written in camelCase or snake_case. Unknown members are ignored. */
export const proto = <Shape extends z.ZodRawShape>(shape: Shape) => z.preprocess(withCamelNames, z.looseObject(shape));

export function withCamelNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [camelName(name), member]));
}
