import { createHash } from 'node:crypto';

/** A tool as the client names it. */
export interface ToolTarget {
  kind: 'function' | 'custom' | 'tool_search';
  name: string;
  namespace?: string;
}

/** The names of one request's tools in the chat, and back. A chat has one flat list of names. */
export interface ToolNames {
  /** Its name in the chat; undefined where another tool already has that name. */
  declare(target: ToolTarget): string | undefined;
  /** For a call in the history, whose tool need not be declared any more. */
  nameOf(target: ToolTarget): string;
  isDeclared(target: ToolTarget): boolean;
  targetOf(chatName: string): ToolTarget | undefined;
}

export function createToolNames(): ToolNames {
  const declared = new Map<string, ToolTarget>();
  const called = new Map<string, ToolTarget>();

  return {
    declare(target) {
      const name = flatName(target);
      if (declared.has(name)) return undefined;
      declared.set(name, target);
      return name;
    },
    nameOf(target) {
      const name = flatName(target);
      called.set(name, target);
      return name;
    },
    isDeclared(target) {
      const known = declared.get(flatName(target));
      return known !== undefined && isSame(known, target);
    },
    targetOf: (chatName) => declared.get(chatName) ?? called.get(chatName),
  };
}

const isSame = (left: ToolTarget, right: ToolTarget): boolean =>
  left.kind === right.kind && left.name === right.name && left.namespace === right.namespace;

const mostCharacters = 64;
const hashCharacters = 8;

/** The same in every request, so that vendors find their cached prompts again. */
function flatName({ name, namespace }: ToolTarget): string {
  if (namespace === undefined) return name;
  const whole = `${namespace}__${name}`;
  const clean = whole.replaceAll(/[^\w-]/g, '_');
  if (clean === whole && whole.length <= mostCharacters) return whole;
  const hash = createHash('sha256')
    .update(JSON.stringify([namespace, name]))
    .digest('hex')
    .slice(0, hashCharacters);
  return `${clean.slice(0, mostCharacters - hashCharacters - 1)}_${hash}`;
}
