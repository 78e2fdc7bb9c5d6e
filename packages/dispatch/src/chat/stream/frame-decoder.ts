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
  /** What answers of this framing are labelled as; a missing label is taken for one of them. */
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

/** Whether a good answer's label says that it is the stream that was asked for. */
export const isStreamType = (framing: Framing, contentType: string | undefined): boolean =>
  contentType === undefined || framings[framing].contentType.test(contentType);
