import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type RequestListener,
  STATUS_CODES,
} from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import type { ExchangeHandler } from '@tallyport/bus';
import { GatewayError } from '@tallyport/contracts';
import { httpHead, responseHead } from './heads.ts';

/** Of a request, and of a response. */
const maxHeaderBytes = 64 * 1024;

/**
 * Answers exchanges with a Node request listener, such as an express or koa app. The app sees an HTTP connection that
 * carries one request and closes when the exchange ends: Node frames both directions in memory, as on a socket. A body
 * of a method that usually has none, for example DELETE, needs its Content-Length in the head.
 */
export function appHandler(app: RequestListener): ExchangeHandler {
  // Gets connections from the exchanges and never listens. Their deadline is that of the exchange.
  const server = createServer({ maxHeaderSize: maxHeaderBytes, requestTimeout: 0, headersTimeout: 0 }, app);
  server.on('clientError', refuse);

  return async ({ head, body, signal, confirm }) => {
    const { method, path, headers } = httpHead(head);
    if (method !== 'GET' && method !== 'HEAD') await confirm?.();
    signal.throwIfAborted();
    const [near, far] = duplexPair();
    const close = closing(near, far);
    signal.addEventListener('abort', close, { once: true });
    server.emit('connection', far);
    const sent = request({ createConnection: () => near, method, path, headers, maxHeaderSize: maxHeaderBytes });
    void sendBody(body, sent);
    try {
      const response = await responseTo(sent);
      response.once('close', () => {
        signal.removeEventListener('abort', close);
        close();
      });
      return { head: responseHead(response), body: response };
    } catch (cause) {
      close();
      signal.throwIfAborted();
      throw new GatewayError('internal_error', 'A service ended a request without an answer.', { cause });
    }
  };
}

/**
 * Sends the body at the pace at which the app reads it, and stops when the app has answered without reading it. Written
 * out, because `pipeline` makes an error for each stream that ends.
 */
async function sendBody(body: AsyncIterable<Uint8Array>, sent: ClientRequest): Promise<void> {
  try {
    for await (const bytes of body) {
      if (sent.destroyed) return;
      if (!sent.write(bytes)) await drained(sent);
    }
    sent.end();
  } catch (cause) {
    sent.destroy(cause instanceof Error ? cause : new Error('The body broke off.', { cause }));
  }
}

function drained(sent: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const resume = (): void => {
      sent.off('drain', resume);
      sent.off('close', resume);
      resolve();
    };
    sent.on('drain', resume);
    sent.on('close', resume);
  });
}

/** Node would destroy the connection at once, which in memory overtakes its answer. */
function refuse(error: Error & { code?: string }, connection: Duplex): void {
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  connection.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

/** Closes both ends: a stream of a pair only notices the regular end of the other one. */
const closing =
  (...ends: readonly Duplex[]): (() => void) =>
  () => {
    for (const end of ends) end.destroy();
  };

function responseTo(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve);
    // The listener stays: an error after the response has begun must not be unhandled.
    sent.on('error', reject);
  });
}
