/** Formats of any vendor. */
export const speechFormats = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;

export type SpeechFileFormat = (typeof speechFormats)[number];

/** A text to read aloud, in OpenAI's form. */
export interface SpeechCall {
  readonly input: string;
  /** A name, or the id of a voice of the client's own. */
  readonly voice: string | { readonly id: string };
  readonly instructions?: string;
  readonly response_format: SpeechFileFormat;
  readonly speed?: number;
  /** `sse`: events with base64 instead of the bytes of a file. */
  readonly stream_format: 'audio' | 'sse';
}

/** The end of an answer in events. */
export interface SpeechEnding {
  /** Absent if the vendor did not count tokens. */
  readonly tokens?: { readonly input: number; readonly output: number };
}
