import type { ExchangeAnswer } from '@switchyard/bus';

/** An answer whose body is known in slices, with a content-length. Takes the slices out of the list as they leave. */
export function slicedAnswer({ status, headers }: ExchangeAnswer['head'], slices: Buffer[]): ExchangeAnswer {
  const length = slices.reduce((sum, slice) => sum + slice.length, 0);
  const head = { status, headers: { ...headers, 'content-length': String(length) } };
  const [only] = slices;
  return { head, body: slices.length === 1 && only !== undefined ? only : inTurn(slices) };
}

/** What has left is not held until all has. */
async function* inTurn(slices: Buffer[]): AsyncGenerator<Buffer> {
  for (let slice = slices.shift(); slice !== undefined; slice = slices.shift()) yield slice;
}
