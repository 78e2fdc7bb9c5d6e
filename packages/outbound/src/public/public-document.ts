import { UpstreamFailure } from '../http/upstream-failure.ts';
import type { UpstreamHead } from '../http/call.ts';
import type { PublicAgent } from './public-agent.ts';
import { readAll } from '../http/read-all.ts';

interface DocumentRequest {
  headers: Record<string, string>;
  maxBytes: number;
  signal: AbortSignal;
}

interface PublicDocument extends UpstreamHead {
  body: Buffer;
}

/** Reads a small document whose URL has been checked. Rejects with UpstreamFailure or the signal's reason. */
export async function readPublicDocument(
  agent: Pick<PublicAgent, 'get'>,
  url: URL,
  { signal, ...request }: DocumentRequest,
): Promise<PublicDocument> {
  signal.throwIfAborted();
  const call = agent.get(url, request);
  const leave = (): void => call.abort(new UpstreamFailure('left', 'was left'));
  signal.addEventListener('abort', leave, { once: true });
  try {
    const { status, headers } = await call.head();
    return { status, headers, body: await readAll(call) };
  } catch (thrown) {
    signal.throwIfAborted();
    throw thrown;
  } finally {
    signal.removeEventListener('abort', leave);
    leave();
  }
}
