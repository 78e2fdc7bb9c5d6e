import { GatewayError } from '@tallyport/contracts';

/** A body as it arrives. */
export interface BodySource extends AsyncIterable<Uint8Array> {
  /** Bytes received but not read yet, if known. */
  readonly readableLength?: number;
}

/** The same bytes. Throws if none arrive for so long while they are wanted; a reader that waits does not count. */
export const withoutPauses = (source: BodySource, pauseMs: number): BodySource => ({
  [Symbol.asyncIterator]: () => pieces(source, pauseMs),
  get readableLength() {
    return source.readableLength ?? 0;
  },
});

async function* pieces(source: BodySource, pauseMs: number): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  let isPaused = false;
  try {
    for (;;) {
      const next = await withinPause(iterator.next(), pauseMs, () => (isPaused = true));
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // A generator that waits for bytes ends with them: nothing may wait for it.
    const ended = iterator.return?.();
    if (isPaused) ended?.catch(() => undefined);
    else await ended;
  }
}

function withinPause<Result>(work: Promise<Result>, pauseMs: number, onPause: () => void): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      onPause();
      reject(paused(pauseMs));
    }, pauseMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const paused = (pauseMs: number): GatewayError =>
  new GatewayError(
    'deadline_exceeded',
    `No byte of the upload arrived for ${pauseMs} ms (UPLOAD_TIMEOUT_MS). Send it again without a pause.`,
    { status: 408, domain: 'caller' },
  );
