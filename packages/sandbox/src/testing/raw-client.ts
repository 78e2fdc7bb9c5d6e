import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

/** What a client without any opinion saw. */
export interface Observed {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  /** As it came, undecoded. */
  body: Buffer;
  text: string;
  /** How many pieces the body came in. */
  chunks: number;
  /** Milliseconds from the request to the head, and to the end. */
  headMs: number;
  endMs: number;
  /** `end`: complete as HTTP · `cut`: closed in the middle · `reset` · `left`: by ourselves. */
  ending: 'end' | 'cut' | 'reset' | 'left';
}

export interface Ask {
  url: string;
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Leaves after so many milliseconds … */
  leaveAfterMs?: number;
  /** … or after so many bytes of body. */
  leaveAfterBytes?: number;
}

/** One request on a connection of its own. Settles however it ends; it has no deadline but the asker's. */
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

/** The payloads of a stream's events; comments and blank lines left out. */
export const dataOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice('data: '.length));
