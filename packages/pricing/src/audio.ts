import { noTokens, type Offer, type Tokens } from '@tallyport/contracts';
import { estimateTextTokens, type RequestEstimate } from './estimates.ts';

/** What a request for speech or a transcription used. */
export interface AudioUse {
  readonly characters: number;
  /** Rounded up. */
  readonly audioSeconds: number;
  /** All zero if the offer has no price per token. */
  readonly tokens: Tokens;
  /** The vendor did not report what it bills. */
  readonly estimated: boolean;
}

/** Of speech, about. */
const charactersPerSecond = 15;
/** About what OpenAI counts. */
const audioTokensPerSecond = 20;

interface ReadText {
  input: string;
  /** As the vendor reports them. */
  tokens?: { readonly input: number; readonly output: number } | undefined;
}

/** A price per character makes the use exact; without one it is counted in tokens, estimated unless reported. */
export function useOfSpeech({ input, tokens }: ReadText, { pricing }: Pick<Offer, 'pricing'>): AudioUse {
  const characters = [...input].length;
  const use = { characters, audioSeconds: 0, tokens: noTokens };
  if (tokens !== undefined) {
    return { ...use, tokens: { ...noTokens, input: tokens.input, audioOut: tokens.output }, estimated: false };
  }
  if (pricing.character !== undefined) return { ...use, estimated: false };
  const audioOut = Math.ceil((characters * audioTokensPerSecond) / charactersPerSecond);
  return { ...use, tokens: { ...noTokens, input: estimateTextTokens(input.length), audioOut }, estimated: true };
}

export const estimateSpeech = (input: string): RequestEstimate => ({
  tokens: audioLimitTokens(useOfSpeech({ input }, { pricing: {} })),
  at: (offer) => ({ ...useOfSpeech({ input }, offer), images: 0 }),
});

interface WrittenAudio {
  file: Uint8Array;
  /** As the vendor reports them. */
  seconds?: number | undefined;
  tokens?: { readonly input: number; readonly audio: number; readonly output: number } | undefined;
}

/** A price per minute needs only the seconds, which are estimated from the file unless the vendor reports them. */
export function useOfTranscription(
  { file, seconds, tokens }: WrittenAudio,
  { pricing }: Pick<Offer, 'pricing'>,
): AudioUse {
  const audioSeconds = Math.ceil(Math.min(Math.max(0, seconds ?? estimateSeconds(file)), mostSeconds));
  const use = { characters: 0, audioSeconds, tokens: noTokens };
  if (tokens !== undefined) {
    const { input, audio, output } = tokens;
    return { ...use, tokens: { ...noTokens, input, audioIn: audio, output }, estimated: false };
  }
  if (pricing.minute !== undefined) return { ...use, estimated: seconds === undefined };
  const audioIn = audioSeconds * audioTokensPerSecond;
  const output = estimateTextTokens(audioSeconds * charactersPerSecond);
  return { ...use, tokens: { ...noTokens, audioIn, output }, estimated: true };
}

/** A day; more is an error of the vendor. */
const mostSeconds = 86_400;

/** Compressed speech of 64 kbit/s. */
const usualBytesPerSecond = 8_000;

/** A WAV file names its bytes per second. */
function estimateSeconds(file: Uint8Array): number {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const isWav = bytes.length >= 44 && bytes.toString('latin1', 0, 4) === 'RIFF';
  return bytes.length / Math.max(isWav ? bytes.readUInt32LE(28) : 0, usualBytesPerSecond);
}

export const estimateTranscription = (file: Uint8Array): RequestEstimate => ({
  tokens: audioLimitTokens(useOfTranscription({ file }, { pricing: {} })),
  at: (offer) => ({ ...useOfTranscription({ file }, offer), images: 0 }),
});

/** What limits on tokens per minute count. */
export const audioLimitTokens = ({ tokens, characters, audioSeconds }: AudioUse): number =>
  Object.values(tokens).reduce((sum, count) => sum + count, 0) ||
  estimateTextTokens(characters + audioSeconds * charactersPerSecond);
