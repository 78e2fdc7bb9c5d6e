import type { FileTools } from '../files/file-tools.ts';

/**
 * Reads content for a client in the turn of its account. Resolves once the first bytes are read, so that a storage that is
 * away is no broken answer.
 */
export async function readInTurn(
  { downloadTurn, events }: FileTools,
  accountId: string,
  read: () => AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<Uint8Array>> {
  const endTurn = await downloadTurn(accountId);
  try {
    const pieces = read()[Symbol.asyncIterator]();
    const first = await pieces.next();
    return withFirst(first, pieces, { onMoved: (bytes) => events.moved('out', bytes), endTurn });
  } catch (error) {
    endTurn();
    throw error;
  }
}

interface Listeners {
  onMoved(bytes: number): void;
  endTurn(): void;
}

async function* withFirst(
  first: IteratorResult<Uint8Array>,
  others: AsyncIterator<Uint8Array>,
  { onMoved, endTurn }: Listeners,
): AsyncGenerator<Uint8Array> {
  try {
    for (let next = first; next.done !== true; next = await others.next()) {
      onMoved(next.value.length);
      yield next.value;
    }
  } finally {
    await others.return?.(undefined);
    endTurn();
  }
}
