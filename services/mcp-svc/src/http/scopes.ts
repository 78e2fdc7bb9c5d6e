import { GatewayError, type McpScope, toolNameSeparator } from '@tallyport/contracts';
import type { ToolCaller, Tool } from '../tool.ts';
import type { McpRequest } from './protocol.ts';

/** Throws `permission_denied` if the caller's OAuth token lacks the scope of a called tool. */
export type ScopeCheck = (messages: McpRequest['messages'], caller: ToolCaller) => void;

export function createScopeCheck(tools: readonly Tool[]): ScopeCheck {
  const scopes = new Map<unknown, McpScope>(tools.map(({ name, scope }) => [name, scope]));
  const scopeOf = (name: unknown): McpScope | undefined =>
    scopes.get(name) ?? (isRegistered(name) ? 'mcp:tools' : undefined);
  return (messages, { scopes: granted }) => {
    if (granted === undefined) return;
    for (const { method, params } of [messages].flat()) {
      const needed = method === 'tools/call' && isNamed(params) ? scopeOf(params.name) : undefined;
      if (needed === undefined || granted.includes(needed)) continue;
      throw new GatewayError(
        'permission_denied',
        `This token lacks the scope ${needed}. Authorise again with this scope.`,
      );
    }
  };
}

/** What a tool of a registered server costs or changes is not known. */
const isRegistered = (name: unknown): boolean => typeof name === 'string' && name.includes(toolNameSeparator);

const isNamed = (params: unknown): params is { name: unknown } =>
  typeof params === 'object' && params !== null && 'name' in params;
