import {
  charactersOfMedia,
  charactersPerToken,
  isObject,
  type JsonObject,
  objectsOf,
  promptTokenCount,
  type TokenCounts,
} from '@tallyport/sandbox';

/** The part of the prompt that is audio, which the vendor counts and charges apart. */
export interface AudioTokens {
  readonly fresh: number;
  readonly cacheRead: number;
}

export function audioTokens({ contents }: JsonObject, spent: TokenCounts): AudioTokens {
  const recordings = objectsOf(contents)
    .flatMap(({ parts }) => objectsOf(parts))
    .filter(isAudio).length;
  const prompt = promptTokenCount(spent);
  const all = Math.min(prompt, (recordings * charactersOfMedia) / charactersPerToken);
  // The cache has as much of the audio as of the whole prompt.
  const cacheRead = Math.floor((all * spent.cacheRead) / prompt);
  return { fresh: all - cacheRead, cacheRead };
}

function isAudio({ inlineData, fileData }: JsonObject): boolean {
  const media = isObject(inlineData) ? inlineData : fileData;
  return isObject(media) && String(media.mimeType).startsWith('audio/');
}

/** The prompt and what was cached of it by kind, in the names of `generateContent`. */
export function promptDetails(spent: TokenCounts, audio: AudioTokens) {
  return {
    promptTokensDetails: byKind(promptTokenCount(spent), audio.fresh + audio.cacheRead),
    ...(spent.cacheRead > 0 && { cacheTokensDetails: byKind(spent.cacheRead, audio.cacheRead) }),
  };
}

const byKind = (all: number, audio: number) => [
  { modality: 'TEXT', tokenCount: all - audio },
  ...(audio > 0 ? [{ modality: 'AUDIO', tokenCount: audio }] : []),
];
