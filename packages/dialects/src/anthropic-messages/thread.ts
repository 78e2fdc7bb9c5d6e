import { GatewayError } from '@tallyport/contracts';
import { editMembers } from '@tallyport/wire';
import type { DialectRequest } from '../dialect.ts';
import { isPlainObject } from '../plain-object.ts';
import { refuseUnsupportedMember } from '../refuse-member.ts';

type Arrived = Pick<DialectRequest, 'body' | 'bytes' | 'headers'>;

const beta = 'message-threads';

/**
 * A request that creates a thread has its whole conversation, so without its thread it is the same message. The vendor
 * gets none: a thread is held by one account at one vendor, where other accounts of the gateway could read it, and a key,
 * a cloud or a vendor that answers the next request does not have it. Throws `thread_not_found` for a request that
 * continues a thread, after which clients send their whole conversation.
 */
export function withoutThread(request: Arrived): Arrived {
  const { body, bytes, headers } = request;
  if (!isPlainObject(body) || body.thread === undefined) return request;
  const { thread, ...rest } = body;
  const type = isPlainObject(thread) ? thread.type : undefined;
  if (type === 'continue') throw threadNotFound();
  if (thread !== null && type !== 'create') refuseUnsupportedMember('thread.type', 'must be create or continue');
  return {
    body: rest,
    bytes: editMembers(bytes, { removed: new Set(['thread']), added: {} }),
    headers: withoutBeta(headers),
  };
}

const threadNotFound = (): GatewayError =>
  new GatewayError('thread_not_found', 'thread: threads are not kept here. Send the whole conversation.', {
    param: 'thread.previous_message_id',
  });

function withoutBeta(headers: Arrived['headers']): Arrived['headers'] {
  const { 'anthropic-beta': betas, ...rest } = headers;
  const kept = (betas ?? '').split(',').filter((name) => !name.trim().startsWith(beta));
  return kept.join('').trim() === '' ? rest : { ...rest, 'anthropic-beta': kept.join(',') };
}
