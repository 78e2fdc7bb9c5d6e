import { microseconds } from '../measure/clock.ts';

/** Marks a stamp for the load generator. Sixteen digits of microseconds follow. */
export const stampMark = '~t';
export const stampDigits = 16;

const noStamp = stampMark + '0'.repeat(stampDigits);
const chunkFields = '"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"gpt-6-luna"';

export const streamHead = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n' +
    event(`{${chunkFields},"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`),
);

export const streamEnd = Buffer.from(
  event(`{${chunkFields},"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`) +
    event(`{${chunkFields},"choices":[],"usage":{"prompt_tokens":200,"completion_tokens":200,"total_tokens":400}}`) +
    event('[DONE]') +
    '0\r\n\r\n',
);

/** About 200 bytes, as vendors send them: one token, with all fields repeated. */
export const chunk = Buffer.from(
  event(`{${chunkFields},"choices":[{"index":0,"delta":{"content":"${noStamp} word"},"finish_reason":null}]}`),
);

const chunkStampAt = chunk.indexOf(stampMark) + stampMark.length;

/** A new copy each time, because the socket may keep it. */
export function stampedChunk(): Buffer {
  const copy = Buffer.allocUnsafe(chunk.length);
  chunk.copy(copy);
  writeStamp(copy, chunkStampAt, microseconds());
  return copy;
}

const prose = 'The quick brown fox jumps over the lazy dog and looks back. ';

export const smallAnswer = answer(`${noStamp} ${noStamp} ${prose.repeat(11)}`);
const receivedAt = smallAnswer.indexOf(stampMark) + stampMark.length;
const sentAt = smallAnswer.indexOf(stampMark, receivedAt) + stampMark.length;

/** Contains the times of the request and of the answer, so that the wait between them can be subtracted exactly. */
export function stampedAnswer(received: number): Buffer {
  const copy = Buffer.from(smallAnswer);
  writeStamp(copy, receivedAt, received);
  writeStamp(copy, sentAt, microseconds());
  return copy;
}

/** Text that looks like an inlined image: one long string without escapes. */
export function largeAnswer(bytes: number): Buffer {
  return answer('iVBORw0KGgoAAAANSUhEUgAA'.repeat(Math.ceil(bytes / 24)).slice(0, bytes));
}

/** A PNG of one pixel, padded after its end: its dimensions can be read at once, as with any image. */
export function imageAnswer(base64Bytes: number): Buffer {
  const image = Buffer.alloc((base64Bytes / 4) * 3);
  image.write(onePixel, 'base64');
  return jsonAnswer({ created: 1_700_000_000, data: [{ b64_json: image.toString('base64') }] });
}

const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function answer(content: string): Buffer {
  return jsonAnswer({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'gpt-6-luna',
    choices: [
      { index: 0, message: { role: 'assistant', content, refusal: null }, logprobs: null, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 200, completion_tokens: 200, total_tokens: 400 },
  });
}

function jsonAnswer(value: object): Buffer {
  const body = JSON.stringify(value);
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** One server-sent event as one HTTP chunk. */
function event(data: string): string {
  const text = `data: ${data}\n\n`;
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

function writeStamp(target: Buffer, start: number, value: number): void {
  let rest = value;
  for (let index = start + stampDigits - 1; index >= start; index--) {
    const next = Math.floor(rest / 10);
    target[index] = 48 + (rest - next * 10);
    rest = next;
  }
}
