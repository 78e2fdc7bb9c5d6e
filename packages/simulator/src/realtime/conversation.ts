/** What a vendor bills for one response. */
export interface RealtimeUsage {
  total_tokens: number;
  input_tokens: number;
  output_tokens: number;
  input_token_details: {
    text_tokens: number;
    audio_tokens: number;
    image_tokens: number;
    cached_tokens: number;
    cached_tokens_details: { text_tokens: number; audio_tokens: number; image_tokens: number };
  };
  output_token_details: { text_tokens: number; audio_tokens: number };
}

const charactersPerToken = 4;
/** Of PCM with 24,000 samples a second. */
const bytesPerAudioToken = 4_800;

/** Counts what the responses of a session read and write. Everything of earlier responses is cached. */
export class RealtimeConversation {
  #text = 0;
  #audio = 0;
  #cachedText = 0;
  #cachedAudio = 0;

  hearText(characters: number): void {
    this.#text += Math.ceil(characters / charactersPerToken);
  }

  hearAudio(bytes: number): void {
    this.#audio += Math.ceil(bytes / bytesPerAudioToken);
  }

  /** The tokens of a transcript of this much audio. */
  static audioTokens(bytes: number): number {
    return Math.ceil(bytes / bytesPerAudioToken);
  }

  answer(written: { characters: number; audioBytes: number }): RealtimeUsage {
    const [text, audio] = [this.#text, this.#audio];
    const cached = { text_tokens: this.#cachedText, audio_tokens: this.#cachedAudio, image_tokens: 0 };
    const output = {
      text_tokens: Math.ceil(written.characters / charactersPerToken),
      audio_tokens: Math.ceil(written.audioBytes / bytesPerAudioToken),
    };
    this.#cachedText = text;
    this.#cachedAudio = audio;
    this.#text += output.text_tokens;
    this.#audio += output.audio_tokens;
    const [input_tokens, output_tokens] = [text + audio, output.text_tokens + output.audio_tokens];
    return {
      total_tokens: input_tokens + output_tokens,
      input_tokens,
      output_tokens,
      input_token_details: {
        text_tokens: text,
        audio_tokens: audio,
        image_tokens: 0,
        cached_tokens: cached.text_tokens + cached.audio_tokens,
        cached_tokens_details: cached,
      },
      output_token_details: output,
    };
  }
}
