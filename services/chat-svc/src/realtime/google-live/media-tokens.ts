import { camelNamed } from '@tallyport/dialects';

interface MediaTokens {
  tokens: { text: number; audio: number };
  /** Of base64, which are not text. */
  characters: number;
}

export const textTokens = (characters: number): number => Math.ceil(characters / 4);

/** Of PCM in base64, in the sparsest format that is usual. */
const charactersPerAudioToken = 1_000;
/** At the usual resolution. */
const tokensPerImage = 258;

/** What the audio and the images in a message add to the next response. Images count with the text, whose price is about theirs. */
export function tokensOfMedia(members: Readonly<Record<string, unknown>>): MediaTokens {
  const { audio, video, mediaChunks, turns } = members;
  const counted: MediaTokens = { tokens: { text: 0, audio: 0 }, characters: 0 };
  for (const blob of [audio, video, ...listed(mediaChunks), ...listed(turns).flatMap(inlineDataOf)]) add(blob, counted);
  return counted;
}

const inlineDataOf = (content: unknown): unknown[] =>
  listed(camelNamed(content).parts).map((part) => camelNamed(part).inlineData);

function add(blob: unknown, counted: MediaTokens): void {
  const { data, mimeType } = camelNamed(blob);
  if (typeof data !== 'string') return;
  counted.characters += data.length;
  const isAudio = typeof mimeType !== 'string' || mimeType.startsWith('audio/');
  if (isAudio) counted.tokens.audio += Math.ceil(data.length / charactersPerAudioToken);
  else counted.tokens.text += tokensPerImage;
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
