import type { CountedTokens, RealtimeInput } from '@tallyport/pricing';
import type { ClientEvent } from './client-event.ts';

/** What the next response of a session may read: the last one with its answer, and what was added since. */
export class ConversationSize {
  #carried = { text: 0, audio: 0 };
  #added = { text: 0, audio: 0 };
  #mostOutput: number | undefined;

  get next(): RealtimeInput {
    return {
      text: this.#carried.text + this.#added.text,
      audio: this.#carried.audio + this.#added.audio,
      mostOutput: this.#mostOutput,
    };
  }

  add({ adds, mostOutput }: Pick<ClientEvent, 'adds' | 'mostOutput'>): void {
    this.#added.text += adds.text;
    this.#added.audio += adds.audio;
    if (mostOutput !== undefined) this.#mostOutput = mostOutput;
  }

  /** Of a response that has ended. */
  read({ tokens }: CountedTokens): void {
    const { input, cacheRead, imageIn, imageCacheRead, output, audioIn, audioCacheRead, audioOut } = tokens;
    this.#carried = {
      text: input + cacheRead + imageIn + imageCacheRead + output,
      audio: audioIn + audioCacheRead + audioOut,
    };
    this.#added = { text: 0, audio: 0 };
  }
}
