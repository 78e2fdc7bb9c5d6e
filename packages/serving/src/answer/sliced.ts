import type { ExchangeAnswer } from '@tallyport/bus';
import { totalBytes } from '@tallyport/wire';

/** An answer with a body in slices and a content-length. Removes each slice from the list once it was sent. */
export function slicedAnswer({ status, headers }: ExchangeAnswer['head'], slices: Buffer[]): ExchangeAnswer {
  const length = totalBytes(slices);
  const head = { status, headers: { ...headers, 'content-length': String(length) } };
  const [only] = slices;
  return { head, body: slices.length === 1 && only !== undefined ? only : inTurn(slices) };
}

/** Removes slices as they are sent, so that their memory can be freed early. */
async function* inTurn(slices: Buffer[]): AsyncGenerator<Buffer> {
  for (let slice = slices.shift(); slice !== undefined; slice = slices.shift()) yield slice;
}
