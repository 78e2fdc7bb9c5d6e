import type { CountedTokens, RealtimeInput } from '@tallyport/pricing';
import type { ClientEvent } from './client-event.ts';

/** What the next response of a session may read: the last one with its answer, and what was added since. */
export class ConversationSize {
  #carried = { text: 0, audio: 0 };
  #added = { text: 0, audio: 0 };
  /** Of every response of the session, without a limit of its own. */
  #mostOutput: ClientEvent['mostOutput'];
  /** Of the response that the last event asked for. */
  #ownMost: ClientEvent['mostOutput'];

  get next(): RealtimeInput {
    const most = this.#ownMost ?? this.#mostOutput;
    return {
      text: this.#carried.text + this.#added.text,
      audio: this.#carried.audio + this.#added.audio,
      mostOutput: most === 'inf' ? undefined : most,
    };
  }

  add({ effect, adds, mostOutput }: Pick<ClientEvent, 'effect' | 'adds' | 'mostOutput'>): void {
    this.#added.text += adds.text;
    this.#added.audio += adds.audio;
    this.#ownMost = effect === 'asks' ? mostOutput : undefined;
    if (effect !== 'asks' && mostOutput !== undefined) this.#mostOutput = mostOutput;
  }

  /** The response that was asked for is held: what follows is not of it. */
  held(): void {
    this.#ownMost = undefined;
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
