import type { ChatProvider } from '@tallyport/providers';
import {
  type AwsEventStreamDecoderOptions,
  type Frame,
  type FrameDecoder,
  createAwsEventStreamDecoder,
  createSseDecoder,
} from '@tallyport/wire';

type Framing = ChatProvider['framing'];

interface FramingRules {
  create(options: AwsEventStreamDecoderOptions): FrameDecoder;
  /** Accepted content types. A missing content type is accepted too. */
  contentType: RegExp;
}

const framings: Readonly<Record<Framing, FramingRules>> = {
  sse: { create: createSseDecoder, contentType: /^(text\/event-stream|application\/octet-stream|text\/plain)\b/i },
  'aws-event-stream': {
    create: createAwsEventStreamDecoder,
    contentType: /^application\/(vnd\.amazon\.eventstream|octet-stream)\b/i,
  },
};

/** `unwrap`: finds the event in a frame that only wraps it. */
export function createFrameDecoder(
  framing: Framing,
  options: AwsEventStreamDecoderOptions,
  unwrap?: (frame: Frame) => Frame,
): FrameDecoder {
  const decoder = framings[framing].create(options);
  if (unwrap === undefined) return decoder;
  return { push: (chunk) => decoder.push(chunk).map(unwrap), end: () => decoder.end().map(unwrap) };
}

/** Whether the content type of a 2xx response is that of the requested stream. */
export const isStreamType = (framing: Framing, contentType: string | undefined): boolean =>
  contentType === undefined || framings[framing].contentType.test(contentType);
