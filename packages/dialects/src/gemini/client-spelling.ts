import { GatewayError } from '@tallyport/contracts';
import { isPlainObject } from '../plain-object.ts';
import { camelName } from './proto.ts';

/** Runs a reader of a body. An error names its member as the client spelled it, which may be in snake_case. */
export function inClientSpelling<Value>(body: unknown, read: () => Value): Value {
  try {
    return read();
  } catch (thrown) {
    throw thrown instanceof GatewayError ? respelt(thrown, body) : thrown;
  }
}

/** The error with the names of `body` in its `param`, and at the start of its message. */
export function respelt(error: GatewayError, body: unknown): GatewayError {
  const { param, message } = error;
  const own = param === undefined ? undefined : spelledPath(param, body);
  if (param === undefined || own === param) return error;
  return new GatewayError(
    error.code,
    message.replace(param, () => own ?? param),
    { ...error, param: own, cause: error },
  );
}

/** `a[0].bCd` as steps that are members or places in a list. */
const stepsOf = (path: string): string[] => path.split(/(?=[.[])/);

function spelledPath(path: string, body: unknown): string {
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
