import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

/** A response as a raw HTTP client receives it. */
export interface Observed {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  /** As received, undecoded. */
  body: Buffer;
  text: string;
  /** The number of reads that returned the body. */
  chunks: number;
  /** Milliseconds from the request to the head, and to the end. */
  headMs: number;
  endMs: number;
  /** `end`: complete as HTTP · `cut`: closed in the middle · `reset` · `left`: this client disconnected. */
  ending: 'end' | 'cut' | 'reset' | 'left';
}

interface Ask {
  url: string;
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Disconnects after this many milliseconds … */
  leaveAfterMs?: number;
  /** … or after this many bytes of the body. */
  leaveAfterBytes?: number;
}

/** Sends one request on a new connection. It resolves however the response ends, and has no deadline. */
export function ask({
  url,
  method = 'POST',
  body,
  headers = {},
  leaveAfterMs,
  leaveAfterBytes,
}: Ask): Promise<Observed> {
  const { promise, resolve } = Promise.withResolvers<Observed>();
  const started = performance.now();
  const chunks: Buffer[] = [];
  let size = 0;
  let leaving = false;
  let headMs = 0;
  let response: IncomingMessage | undefined;
  const settle = (ending: Observed['ending']) => {
    clearTimeout(timer);
    const whole = Buffer.concat(chunks);
    resolve({
      status: response?.statusCode,
      headers: response?.headers ?? {},
      body: whole,
      text: whole.toString(),
      chunks: chunks.length,
      headMs,
      endMs: performance.now() - started,
      ending: leaving ? 'left' : ending,
    });
  };
  const leave = () => {
    leaving = true;
    request.destroy();
  };
  const request = httpRequest(url, {
    method,
    agent: false,
    headers: { 'content-type': 'application/json', ...headers },
  });
  const timer = leaveAfterMs === undefined ? undefined : setTimeout(leave, leaveAfterMs);
  request.on('response', (incoming) => {
    response = incoming;
    headMs = performance.now() - started;
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (leaveAfterBytes !== undefined && size >= leaveAfterBytes) leave();
    });
    incoming.once('end', () => settle('end'));
    incoming.once('error', () => settle('cut'));
  });
  request.once('error', () => settle(response === undefined ? 'reset' : 'cut'));
  request.once('close', () => settle('cut'));
  request.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  return promise;
}

/** The payloads of a stream's events, without comments and blank lines. */
export const dataOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice('data: '.length));
