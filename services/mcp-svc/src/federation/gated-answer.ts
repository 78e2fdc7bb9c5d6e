import { createSseDecoder, type Frame, frameText, type SseDecoder } from '@tallyport/wire';
import { answerBounds } from './answer-bounds.ts';
import type { MessageGate } from './message-gate.ts';

interface GatedAnswer {
  gate: MessageGate;
  maxBytes: number;
  /** Called when the library begins to read the body. */
  began(): void;
  /** Called after that once, with what ended the body early. */
  ended(failure?: unknown): void;
}

/** The same response, but with a body of only those messages that pass the gate, each when it may pass. */
export function gatedAnswer(response: Response, options: GatedAnswer): Response {
  const { body, status, headers } = response;
  if (body === null) return response;
  const parts = watched(partsOf(response, body, options), options);
  return new Response(ReadableStream.from(parts), { status, headers });
}

type Parts = AsyncGenerator<Uint8Array, void>;
type Body = ReadableStream<Uint8Array>;

function partsOf({ ok, status, headers }: Response, body: Body, { gate, maxBytes }: GatedAnswer): Parts {
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (!ok || status === 202) return beginning(body, gate);
  if (type === 'text/event-stream') return events(body, { gate, maxBytes });
  return type === 'application/json' ? document(body, gate) : beginning(body, gate);
}

async function* watched(parts: Parts, { began, ended }: Pick<GatedAnswer, 'began' | 'ended'>): Parts {
  let failure: unknown;
  began();
  try {
    yield* parts;
  } catch (thrown) {
    failure = thrown;
    throw thrown;
  } finally {
    ended(failure);
  }
}

async function* events(body: Body, { gate, maxBytes }: Pick<GatedAnswer, 'gate' | 'maxBytes'>): Parts {
  const decoder = createSseDecoder({ maxFrameBytes: maxBytes });
  for await (const chunk of body) {
    await gate.read(chunk.length);
    yield* passing(decoder.push(chunk), { gate, decoder });
  }
  yield* passing(decoder.end(), { gate, decoder });
}

async function* passing(
  frames: readonly Frame[],
  { gate, decoder }: { gate: MessageGate; decoder: SseDecoder },
): Parts {
  for (const frame of frames) {
    if (await framePasses(frame, gate)) yield encoded(frame, decoder.retryMs());
  }
}

async function framePasses({ event, data }: Frame, gate: MessageGate): Promise<boolean> {
  const isMessage = data.length > 0 && (event === undefined || event === '' || event === 'message');
  // The library reads no batch in an event: it reports one as a mistake.
  const [message] = isMessage ? gate.parse(data) : [undefined];
  return gate.passes(message);
}

/** `data` has no line breaks but those between its lines. */
function encoded(frame: Frame, retryMs: number | undefined): Uint8Array {
  const { event, id } = frame;
  const fields = [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retryMs === undefined ? [] : [`retry: ${retryMs}`]),
    ...frameText(frame)
      .split('\n')
      .map((line) => `data: ${line}`),
  ];
  return Buffer.from(`${fields.join('\n')}\n\n`);
}

async function* document(body: Body, gate: MessageGate): Parts {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) {
    await gate.read(chunk.length);
    chunks.push(chunk);
  }
  const json = Buffer.concat(chunks);
  const messages = gate.parse(json);
  const passed: unknown[] = [];
  for (const message of messages) if (await gate.passes(message)) passed.push(message);
  yield passed.length === messages.length ? json : Buffer.from(JSON.stringify(passed));
}

/** Of a body that only explains a status. */
async function* beginning(body: Body, gate: MessageGate): Parts {
  let left: number = answerBounds.errorBytes;
  for await (const chunk of body) {
    await gate.read(chunk.length);
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}
