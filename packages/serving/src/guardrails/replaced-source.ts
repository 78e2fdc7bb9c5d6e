import type { StreamSource } from '../stream/stream-body.ts';

export interface Replacement {
  /** What to send for some bytes of the source; at its end, what was held back. May throw `guardrail_blocked`. */
  replace(bytes: Uint8Array | undefined): Buffer | Promise<Buffer>;
  /** Called before the source is left because `replace` has failed. */
  onFailure?(thrown: unknown): void;
  /** Called once, at the end of the stream or when it is left. */
  onEnd(): void;
}

/**
 * A source with its bytes replaced. It is not read while a replacement is awaited. If a replacement fails, the source is
 * left and `read` fails. If the source fails, what was held back is returned first.
 */
export function replacedSource(source: StreamSource, { replace, onFailure, onEnd }: Replacement): StreamSource {
  let failure: unknown;
  let isOver = false;

  function end(): void {
    if (!isOver) onEnd();
    isOver = true;
  }

  async function readSource(): Promise<Uint8Array | undefined> {
    try {
      return await source.read();
    } catch (thrown) {
      failure = thrown;
      return undefined;
    }
  }

  function leave(): void {
    source.cancel();
    end();
  }

  async function replaced(bytes: Uint8Array | undefined): Promise<Buffer> {
    try {
      return await replace(bytes);
    } catch (thrown) {
      onFailure?.(thrown);
      // What a provider writes after that would be paid for and not sent.
      leave();
      throw thrown;
    }
  }

  return {
    async read() {
      while (!isOver) {
        const bytes = await readSource();
        const output = await replaced(bytes);
        if (bytes === undefined) end();
        if (output.length > 0) return output;
      }
      if (failure !== undefined) throw failure;
      return undefined;
    },
    cancel: leave,
  };
}
