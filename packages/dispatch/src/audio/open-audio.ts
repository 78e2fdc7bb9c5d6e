import { GatewayError } from '@tallyport/contracts';
import { readAll } from '@tallyport/outbound';
import { openRequest } from '../attempts/open-request.ts';
import type { OpenedResponse } from '../attempts/opened-response.ts';
import type { OwnRequest } from '../targets/request-to.ts';
import type { CallAttempt } from '../calls/open-calls.ts';

interface WithFault {
  fault(body: unknown): GatewayError | undefined;
}

/** Sends a request and waits for an answer of the right type. */
export async function openAudio(
  attempt: CallAttempt<unknown, WithFault>,
  build: () => OwnRequest,
  isRequestedType: (type: string) => boolean,
): Promise<OpenedResponse> {
  const opened = await openRequest(attempt, build, attempt.equipment.timeouts.plainFirstByteMs);
  if (!isRequestedType(String(opened.head.headers['content-type'] ?? ''))) throw await otherType(attempt, opened);
  return opened;
}

export const isEvents = (type: string): boolean => /^text\/event-stream\b/i.test(type);

/** An error hidden in a 200 is usually JSON; the provider's message is more useful than ours. */
async function otherType(
  { provider, format }: CallAttempt<unknown, WithFault>,
  { body }: OpenedResponse,
): Promise<GatewayError> {
  const text = (await readAll(body)).toString('utf8');
  try {
    const fault = format.fault(JSON.parse(text));
    if (fault !== undefined) return fault;
  } catch {
    // Not JSON, so it has no message to pass on.
  }
  const message = `${provider.id} sent an answer of another type than requested.`;
  return new GatewayError('upstream_error', message, { domain: 'provider' });
}
