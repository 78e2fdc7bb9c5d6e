import { oncePer } from '@tallyport/contracts';
import { listElements, memberValue, type NativeDialect, type NativeRequest, replaceMembers } from '@tallyport/wire';
import { isSealedThought } from '../google/interactions/native-fit.ts';
import { isMembers, items, type Members } from '../read.ts';
import { type CallIds, createCallIds } from './call-ids.ts';
import { repairedMessage } from './messages.ts';
import { repairedItem } from './responses.ts';

/** How the conversation of a vendor's own API is repaired if another vendor's model began it. */
interface Repairs {
  /** The member with the conversation. */
  list: 'input' | 'messages';
  /** The ids of calls that the vendor accepts. */
  ids: RegExp;
  /** An element as the vendor accepts it: the same one if it does, `undefined` if it is left out. */
  repaired(element: Members, ids: CallIds): Members | undefined;
}

const anyId = /^/;
const responses: Repairs = { list: 'input', ids: /^.{1,64}$/s, repaired: repairedItem };

/** What each API would refuse for ever. A conversation of Gemini's API is translated instead: its calls lack signatures. */
const repairs: Readonly<Partial<Record<NativeDialect, Repairs>>> = {
  'anthropic-messages': { list: 'messages', ids: /^[\w-]+$/, repaired: repairedMessage },
  'gemini-interactions': {
    list: 'input',
    ids: anyId,
    repaired: (step) => (isSealedThought(step) ? undefined : step),
  },
  'openai-compact': responses,
  'openai-responses': responses,
};

/**
 * The request with a conversation that its vendor accepts; the same one if it does already. Elements that it accepts keep
 * every byte.
 */
export const repairedRequest = oncePer((request: NativeRequest): NativeRequest => {
  const rules = repairs[request.dialect];
  return rules === undefined ? request : withRepairs(request, rules);
});

function withRepairs(request: NativeRequest, { list, ids, repaired }: Repairs): NativeRequest {
  const elements = items(request.members[list]);
  const callIds = createCallIds(ids);
  const accepted = elements.map((element) => (isMembers(element) ? repaired(element, callIds) : element));
  if (accepted.every((element, at) => element === elements[at])) return request;
  const bytes = listElements(memberValue(request.body, list) ?? Buffer.from('[]'));
  const kept = accepted.flatMap((element, at) => {
    if (element === undefined) return [];
    return element === elements[at] ? (bytes[at]?.toString() ?? []) : JSON.stringify(element);
  });
  return {
    ...request,
    members: { ...request.members, [list]: accepted.filter((element) => element !== undefined) },
    body: replaceMembers(request.body, [{ path: [list], value: `[${kept.join()}]` }]),
  };
}
