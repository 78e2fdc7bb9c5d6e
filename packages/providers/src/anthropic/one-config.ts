import { editMembers } from '@tallyport/wire';
import type { NativeCall } from '../spec/provider.ts';
import { isMembers, items, members, type Members } from '../read.ts';

/**
 * The client's request with the latest `output_config` of its messages for all of it. Claude Code sets one per turn, which
 * some clouds refuse; the latest is that of the answer.
 */
export function withOneConfig(call: NativeCall): NativeCall {
  const messages = items(call.members.messages);
  const latest = messages.findLast((message): message is Members => isMembers(message) && isConfigured(message));
  if (latest === undefined) return call;
  const changed = {
    messages: messages.map((message) => (isMembers(message) ? withoutConfig(message) : message)),
    output_config: { ...members(call.members.output_config), ...members(latest.output_config) },
  };
  const added = Object.fromEntries(Object.entries(changed).map(([name, value]) => [name, JSON.stringify(value)]));
  return {
    ...call,
    members: { ...call.members, ...changed },
    body: editMembers(call.body, { removed: new Set(Object.keys(changed)), added }),
  };
}

const isConfigured = (message: Members): boolean => isMembers(message.output_config);

const withoutConfig = ({ output_config: _config, ...message }: Members): Members => message;
