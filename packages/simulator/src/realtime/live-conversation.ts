/** What Google bills for one generation. */
export interface LiveUsage {
  promptTokenCount: number;
  responseTokenCount: number;
  thoughtsTokenCount: number;
  totalTokenCount: number;
  promptTokensDetails: readonly ModalityCount[];
  responseTokensDetails: readonly ModalityCount[];
}

interface ModalityCount {
  modality: 'AUDIO' | 'IMAGE' | 'TEXT';
  tokenCount: number;
}

const charactersPerToken = 4;
const bytesPerAudioToken = 1_000;
const tokensPerImage = 258;
/** Of the prompt, counted without a modality. */
const unnamed = 5;
const thoughts = 3;

/** Counts what generations read and write. Each reads all that was said before. */
export class LiveConversation {
  #text = 0;
  #audio = 0;
  #image = 0;

  readText(characters: number): void {
    this.#text += Math.ceil(characters / charactersPerToken);
  }

  hear(bytes: number): void {
    this.#audio += Math.ceil(bytes / bytesPerAudioToken);
  }

  see(): void {
    this.#image += tokensPerImage;
  }

  generate({ characters, audioBytes }: { characters: number; audioBytes: number }): LiveUsage {
    const prompt = { TEXT: this.#text, AUDIO: this.#audio, IMAGE: this.#image };
    const response = {
      TEXT: Math.ceil(characters / charactersPerToken),
      AUDIO: Math.ceil(audioBytes / bytesPerAudioToken),
      IMAGE: 0,
    };
    this.#text += response.TEXT;
    this.#audio += response.AUDIO;
    const promptTokenCount = prompt.TEXT + prompt.AUDIO + prompt.IMAGE + unnamed;
    const responseTokenCount = response.TEXT + response.AUDIO;
    return {
      promptTokenCount,
      responseTokenCount,
      thoughtsTokenCount: thoughts,
      totalTokenCount: promptTokenCount + responseTokenCount,
      promptTokensDetails: countsOf(prompt),
      responseTokensDetails: countsOf(response),
    };
  }
}

const modalities = ['TEXT', 'AUDIO', 'IMAGE'] as const;

const countsOf = (counts: Record<ModalityCount['modality'], number>): ModalityCount[] =>
  modalities.map((modality) => ({ modality, tokenCount: counts[modality] })).filter(({ tokenCount }) => tokenCount > 0);
