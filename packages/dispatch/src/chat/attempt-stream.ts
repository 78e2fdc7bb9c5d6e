import { GatewayError } from '@tallyport/contracts';
import { readAll } from '@tallyport/outbound';
import { type Attempt, openResponse } from './attempt.ts';
import type { OpenedResponse } from '../attempts/opened-response.ts';
import { ChatStream } from './stream/chat-stream.ts';
import { isStreamType } from './stream/frame-decoder.ts';

/**
 * Reads up to the first content event, which commits the attempt. Earlier failures are thrown; the client has seen
 * nothing.
 */
export async function attemptStream(attempt: Attempt): Promise<ChatStream> {
  const opened = await openResponse(attempt);
  if (!isStream(opened, attempt)) throw await notAStream(attempt, opened);
  const stream = new ChatStream(attempt, opened);
  await stream.commit();
  return stream;
}

function isStream({ head }: OpenedResponse, { provider }: Attempt): boolean {
  const type = head.headers['content-type'];
  return isStreamType(provider.framing, Array.isArray(type) ? type[0] : type);
}

/** An error hidden in a 200 is usually JSON; the provider's message is more useful than ours. */
async function notAStream(attempt: Attempt, { body }: OpenedResponse): Promise<unknown> {
  const text = (await readAll(body)).toString('utf8');
  try {
    attempt.provider.response(JSON.parse(text), attempt.context);
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown;
  }
  const message = `${attempt.provider.id} answered a streamed request without a stream.`;
  return new GatewayError('upstream_error', message, { domain: 'provider' });
}
