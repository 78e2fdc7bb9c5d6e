import { z } from 'zod';
import { camelName } from '../camel-name.ts';

/** A protobuf message in JSON: its members may be written in camelCase or snake_case. Unknown members are ignored. */
export const proto = <Shape extends z.ZodRawShape>(shape: Shape) => z.preprocess(withCamelNames, z.looseObject(shape));

export function withCamelNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [camelName(name), member]));
}

/** Bytes in JSON may be in either alphabet of base64; other vendors read only the standard one. */
export const standardBase64 = (text: string): string =>
  /[-_]/.test(text) ? text.replaceAll('-', '+').replaceAll('_', '/') : text;
