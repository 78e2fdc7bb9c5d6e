import { exactJson, isObject, type JsonObject } from '../../../packages/sandbox/src/index.ts';

/** JSON whose numbers keep their digits when they are written again. */
export function objectIn(text: string): JsonObject {
  const value = exactJson(text);
  if (isObject(value)) return value;
  throw new TypeError(`This is no JSON object: ${text.slice(0, 200)}`);
}

export const objectAt = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const textAt = (value: unknown): string => (typeof value === 'string' ? value : '');
