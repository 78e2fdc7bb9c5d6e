import type { MultipartPart } from '@tallyport/wire';

export const transcriptFormats = ['json', 'text', 'srt', 'vtt', 'verbose_json', 'diarized_json'] as const;

export type TranscriptFormat = (typeof transcriptFormats)[number];

/** Audio to write down, in OpenAI's form. */
export interface TranscriptionCall {
  /** `translate`: into English. */
  readonly task: 'transcribe' | 'translate';
  readonly file: MultipartPart;
  /** All other fields as the client sent them, without the model and the format. */
  readonly fields: readonly MultipartPart[];
  /** In none of the parts. */
  readonly boundary: string;
  readonly format: TranscriptFormat;
  readonly stream: boolean;
}

/** What a vendor reports of the audio that it wrote down. */
export interface TranscriptEnding {
  readonly seconds?: number;
  readonly tokens?: { readonly input: number; readonly audio: number; readonly output: number };
}

/** A whole answer. */
export interface Transcript extends TranscriptEnding {
  /** The answer for the client. */
  readonly body: Uint8Array;
}
