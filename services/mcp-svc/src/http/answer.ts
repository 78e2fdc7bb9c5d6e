import type { ExchangeAnswer } from '@tallyport/bus';

/** A response to an MCP request, complete or streamed. */
export interface McpAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | ReadableStream<Uint8Array>;
}

/** Converts the MCP library's response. */
export async function mcpAnswer(response: Response): Promise<McpAnswer> {
  const { status, body } = response;
  const headers = Object.fromEntries(response.headers);
  // Set by the library, but edge manages the connection.
  delete headers.connection;
  const isStream = headers['content-type']?.startsWith('text/event-stream') ?? false;
  return { status, headers, body: isStream && body !== null ? body : await response.text() };
}

export interface AnswerDelivery {
  /** Aborts when the response is no longer wanted. */
  signal: AbortSignal;
  /** Answers the exchange. */
  send(answer: ExchangeAnswer): void;
}

/** Answers the exchange, and resolves when the body has been sent or is no longer wanted. */
export function deliverAnswer({ status, headers, body }: McpAnswer, { signal, send }: AnswerDelivery): Promise<void> {
  const head = { status, headers };
  if (typeof body === 'string') {
    send({ head, body: Buffer.from(body) });
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    // The body is never read if the caller has left meanwhile.
    signal.addEventListener('abort', () => resolve(), { once: true });
    send({ head, body: chunksOf(body, { signal, onEnd: resolve }) });
  });
}

/** The chunks of a stream, which is cancelled when it is left or no longer wanted. */
async function* chunksOf(
  stream: ReadableStream<Uint8Array>,
  { signal, onEnd }: { signal: AbortSignal; onEnd(): void },
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  const cancel = (): void => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
    onEnd();
  }
}
