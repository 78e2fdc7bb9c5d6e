import type { ChatProvider } from '@switchyard/providers';
import {
  type AwsEventStreamDecoderOptions,
  type FrameDecoder,
  createAwsEventStreamDecoder,
  createSseDecoder,
} from '@switchyard/wire';

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

export const createFrameDecoder = (framing: Framing, options: AwsEventStreamDecoderOptions): FrameDecoder =>
  framings[framing].create(options);

/** Whether the content type of a 2xx response is that of the requested stream. */
export const isStreamType = (framing: Framing, contentType: string | undefined): boolean =>
  contentType === undefined || framings[framing].contentType.test(contentType);
