import type {
  Body,
  ByteStream,
  ExchangeAnswer,
  ExchangeHandler,
  ExchangeRequest,
  ExchangeResponse,
  Link,
} from '@tallyport/bus';
import { toGatewayError } from '@tallyport/contracts';
import type { Attributes, Span, Tracing } from './tracing.ts';

/**
 * Adds a span for each side of an exchange. Exchanges outside a trace, for example those that services start
 * themselves, get none.
 */
export function tracedLink(link: Link, tracing: Tracing): Link {
  return {
    open(subject, request) {
      const parent = request.head.traceparent ?? tracing.current();
      return parent === undefined
        ? link.open(subject, request)
        : openTraced({ link, tracing, parent }, subject, request);
    },
    listen: ({ handlers, ...listening }) =>
      link.listen({
        ...listening,
        handlers: Object.fromEntries(
          Object.entries(handlers).map(([name, handler]) => {
            const attributes = { 'rpc.system': 'tallyport', 'rpc.service': listening.service, 'rpc.method': name };
            return [name, handleTraced(tracing, handler, { name: `${listening.service}.${name}`, attributes })];
          }),
        ),
      }),
    leave: () => link.leave(),
    notify: (subject, payload) => link.notify(subject, payload),
    subscribe: (...subscription) => link.subscribe(...subscription),
    journals: link.journals,
    connected: () => link.connected(),
    unheard: () => link.unheard(),
    close: () => link.close(),
  };
}

interface OpenContext {
  link: Link;
  tracing: Tracing;
  parent: string;
}

async function openTraced({ link, tracing, parent }: OpenContext, subject: string, request: ExchangeRequest) {
  const [service, method] = subject.split('.').slice(-2);
  const attributes = { 'rpc.system': 'tallyport', 'rpc.service': service, 'rpc.method': method };
  const span = tracing.begin(`${service}.${method}`, { kind: 'client', parent, attributes });
  try {
    const head = { ...request.head, traceparent: span.traceparent };
    const { head: responseHead, body } = await link.open(subject, { ...request, head });
    const response: ExchangeResponse = { head: responseHead, body: followedStream(body, span) };
    return response;
  } catch (thrown) {
    throw endWith(span, thrown);
  }
}

interface SpanDescription {
  name: string;
  attributes: Attributes;
}

function handleTraced(
  tracing: Tracing,
  handler: ExchangeHandler,
  { name, attributes }: SpanDescription,
): ExchangeHandler {
  return async (exchange) => {
    const { head } = exchange;
    if (head.traceparent === undefined) return handler(exchange);
    const span = tracing.begin(name, { kind: 'server', parent: head.traceparent, attributes });
    const traced = { ...exchange, head: { ...head, traceparent: span.traceparent } };
    try {
      const answer: ExchangeAnswer = await tracing.within(span, () => handler(traced));
      return { head: answer.head, body: followedBody(answer.body, span) };
    } catch (thrown) {
      throw endWith(span, thrown);
    }
  };
}

function endWith(span: Span, thrown: unknown): unknown {
  span.end({ error: toGatewayError(thrown).code });
  return thrown;
}

/** Ends the span with the last byte of the body. */
function followedBody(body: Body, span: Span): Body {
  if (!(body instanceof Uint8Array)) return { [Symbol.asyncIterator]: () => followedIterator(body, span) };
  span.end();
  return body;
}

function followedStream(body: ByteStream, span: Span): ByteStream {
  return {
    [Symbol.asyncIterator]: () => followedIterator(body, span),
    async bytes(limit) {
      try {
        const bytes = await body.bytes(limit);
        span.end();
        return bytes;
      } catch (thrown) {
        throw endWith(span, thrown);
      }
    },
    cancel() {
      span.end({ error: 'client_closed_request' });
      body.cancel();
    },
  };
}

function followedIterator(body: AsyncIterable<Uint8Array>, span: Span): AsyncIterator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  return {
    async next() {
      try {
        const result = await iterator.next();
        if (result.done) span.end();
        return result;
      } catch (thrown) {
        throw endWith(span, thrown);
      }
    },
    async return(value) {
      span.end({ error: 'client_closed_request' });
      return (await iterator.return?.(value)) ?? { done: true, value: undefined };
    },
  };
}
