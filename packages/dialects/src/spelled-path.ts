import { camelName } from './camel-name.ts';
import { isPlainObject } from './plain-object.ts';

/** `a[0].bCd` as steps that are members or places in a list. */
const stepsOf = (path: string): string[] => path.split(/(?=[.[])/);

/** The path of a member with the names that a body has: its members may be in snake_case. */
export function spelledPath(path: string, body: unknown): string {
  let value: unknown = body;
  return stepsOf(path)
    .map((step) => {
      const name = step.replaceAll(/[.[\]]/g, '');
      const found = keyOf(value, name);
      value = found === undefined ? undefined : memberOf(value, found);
      return found === undefined ? step : step.replace(name, () => found);
    })
    .join('');
}

function keyOf(value: unknown, name: string): string | undefined {
  if (Array.isArray(value)) return name;
  if (!isPlainObject(value)) return undefined;
  return Object.hasOwn(value, name) ? name : Object.keys(value).find((key) => camelName(key) === name);
}

const memberOf = (value: unknown, key: string): unknown =>
  Array.isArray(value) ? value[Number(key)] : isPlainObject(value) ? value[key] : undefined;
