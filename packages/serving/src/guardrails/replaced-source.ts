import type { AnswerEvent } from '@tallyport/wire';
import type { StreamSource } from '../stream/stream-body.ts';

type Events = readonly AnswerEvent[];

export interface Replacement {
  /** What to send for some events of the source; at its end, what was held back. May throw `guardrail_blocked`. */
  replace(events: Events | undefined): Events | Promise<Events>;
  /** Called before the source is left because `replace` has failed. */
  onFailure?(thrown: unknown): void;
  /** Called once, at the end of the stream or when it is left. */
  onEnd(): void;
}

/**
 * A source with its events replaced. It is not read while a replacement is awaited. If a replacement fails, the source is
 * left and `read` fails. If the source fails, what was held back is returned first.
 */
export function replacedSource(source: StreamSource, { replace, onFailure, onEnd }: Replacement): StreamSource {
  let failure: unknown;
  let isOver = false;

  function end(): void {
    if (!isOver) onEnd();
    isOver = true;
  }

  async function readSource(): Promise<Events | undefined> {
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

  async function replaced(events: Events | undefined): Promise<Events> {
    try {
      return await replace(events);
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
        const events = await readSource();
        const output = await replaced(events);
        if (events === undefined) end();
        if (output.length > 0) return output;
      }
      if (failure !== undefined) throw failure;
      return undefined;
    },
    cancel: leave,
  };
}
