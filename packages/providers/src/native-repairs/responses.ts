import type { Members } from '../read.ts';
import type { CallIds } from './call-ids.ts';

/** An item as OpenAI accepts it. An id that the vendor did not make is left out: it would look for its own there. */
export function repairedItem(item: Members, ids: CallIds): Members {
  const { id: _foreign, ...rest } = item;
  const own = isForeignId(item) ? rest : item;
  if (typeof own.call_id !== 'string') return own;
  const callId = String(own.type).endsWith('_output') ? ids.answered(own.call_id) : ids.called(own.call_id);
  return callId === own.call_id ? own : { ...own, call_id: callId };
}

/** How the vendor's ids begin. Reasoning is sealed with its id, and ids of other items are checked in no way. */
const beginnings: Readonly<Record<string, string>> = {
  custom_tool_call: 'ctc_',
  function_call: 'fc_',
  message: 'msg_',
};

function isForeignId({ type, role, id }: Members): boolean {
  const beginning = beginnings[String(type ?? (role === undefined ? '' : 'message'))];
  if (beginning === undefined || typeof id !== 'string') return false;
  return !id.startsWith(beginning) || !/^[\w-]{1,64}$/.test(id);
}
