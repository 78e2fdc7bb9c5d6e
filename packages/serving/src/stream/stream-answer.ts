import type { ExchangeAnswer } from '@tallyport/bus';
import { StreamBody, type StreamBodyOptions } from './stream-body.ts';
import { streamHeaders } from './stream-headers.ts';

/** An answer with a stream of events, as its form writes them. */
export function streamAnswer(headers: Readonly<Record<string, string>>, stream: StreamBodyOptions): ExchangeAnswer {
  const body = new StreamBody(stream);
  const { contentType, hasIds } = stream.form;
  return {
    head: { status: 200, headers: { ...streamHeaders, ...headers, 'content-type': contentType } },
    body,
    failed: () => body.failed,
    ...(hasIds ? { events: () => body.eventByEvent() } : { opaque: true }),
  };
}
