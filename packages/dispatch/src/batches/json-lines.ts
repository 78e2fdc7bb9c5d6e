import { type BodyReader, UpstreamFailure } from '@tallyport/outbound';

const newline = 0x0a;

/** The lines of a body as they arrive, without empty ones. Throws UpstreamFailure for one that is longer than `mostBytes`. */
export async function* linesOf(body: BodyReader, mostBytes: number): AsyncGenerator<string> {
  let begun: Buffer[] = [];
  let bytes = 0;
  const hold = (more: Buffer): void => {
    bytes += more.length;
    if (bytes > mostBytes) throw new UpstreamFailure('too_large', `sent a line of more than ${mostBytes} bytes`);
    if (more.length > 0) begun.push(more);
  };
  function* endedIn(ended: Buffer): Generator<string> {
    for (let at = 0; at < ended.length;) {
      const end = ended.indexOf(newline, at);
      hold(ended.subarray(at, end));
      at = end + 1;
      const line = taken();
      if (line !== '') yield line;
    }
  }
  const taken = (): string => {
    const text = Buffer.concat(begun).toString().trim();
    [begun, bytes] = [[], 0];
    return text;
  };
  while (await body.ready()) {
    for (const chunk of body.take()) {
      const from = chunk.lastIndexOf(newline) + 1;
      yield* endedIn(chunk.subarray(0, from));
      hold(chunk.subarray(from));
    }
  }
  const rest = taken();
  if (rest !== '') yield rest;
}
