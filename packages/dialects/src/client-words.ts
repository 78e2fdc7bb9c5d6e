import { GatewayError } from '@tallyport/contracts';
import { isPlainObject } from './plain-object.ts';
import { spelledPath } from './spelled-path.ts';

/**
 * By member of a chat, its path in another API. Of several paths, the first one that the request has counts, or the first
 * one of all.
 */
export type MemberNames = Readonly<Record<string, readonly [string, ...string[]]>>;

/** An error about a member of the translated chat, in the words of the client that sent `body`. */
export function inClientWords(error: GatewayError, names: MemberNames, body: unknown): GatewayError {
  const { param, message } = error;
  const member = /^\w+/.exec(param ?? '')?.[0] ?? '';
  const paths = Object.hasOwn(names, member) ? names[member] : undefined;
  if (param === undefined || paths === undefined) return error;
  // An API with a member of this name may have reported it itself.
  if (isPlainObject(body) && Object.hasOwn(body, member)) return error;
  const spelled = paths.map((each) => spelledPath(each, body));
  const path = spelled.find((each) => hasMember(body, each.split('.'))) ?? paths[0];
  return new GatewayError(error.code, renamed(message, { param, member, path }), {
    ...error,
    param: path,
    cause: error,
  });
}

function hasMember(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  return isPlainObject(value) && value[name] != null && hasMember(value[name], rest);
}

interface Renaming {
  param: string;
  member: string;
  path: string;
}

/** Messages name a member at their start or in backticks. */
function renamed(message: string, { param, member, path }: Renaming): string {
  const start = [param, member].find((each) => message.startsWith(`${each}: `));
  const rest = start === undefined ? message : path + message.slice(start.length);
  return rest.replaceAll(`\`${param}\``, `\`${path}\``).replaceAll(`\`${member}\``, `\`${path}\``);
}
