import type { ExchangeAnswer } from '@switchyard/bus';

/** An answer whose body is known in slices, with its length told. */
export function slicedAnswer({ status, headers }: ExchangeAnswer['head'], slices: readonly Buffer[]): ExchangeAnswer {
  const length = slices.reduce((sum, slice) => sum + slice.length, 0);
  const head = { status, headers: { ...headers, 'content-length': String(length) } };
  const [only] = slices;
  return { head, body: slices.length === 1 && only !== undefined ? only : inTurn(slices) };
}

async function* inTurn(slices: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* slices;
}
