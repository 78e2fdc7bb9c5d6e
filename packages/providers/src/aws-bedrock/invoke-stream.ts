import { type Frame, frameText } from '@tallyport/wire';
import { createAnthropicStream } from '../anthropic/stream.ts';
import type { OneChoiceContext } from '../one-choice.ts';
import type { StreamTranslator } from '../spec/provider.ts';
import { members, text } from '../read.ts';
import { bedrockFrameFault } from './error.ts';

/**
 * The event of the model's own API in a frame, where it is base64. Faults stay as they are. A frame without such an
 * event becomes an empty one, which counts as unreadable and is not passed on.
 */
export function invokeEvent(frame: Frame): Frame {
  if (isFault(frame)) return frame;
  const data = onOneLine(Buffer.from(text(members(parsed(frameText(frame))).bytes) ?? '', 'base64'));
  const type = text(members(parsed(data.toString())).type);
  return { event: type !== undefined && /^\w+$/.test(type) ? type : undefined, id: undefined, data };
}

const isFault = ({ event = '' }: Frame): boolean => /^(exception|error):/.test(event);

/** A line break in JSON can only be blank space; in a server-sent event it would end the data. */
const onOneLine = (json: Buffer): Buffer =>
  json.includes('\r') || json.includes('\n')
    ? Buffer.from(json.toString('latin1').replaceAll(/[\r\n]/g, ' '), 'latin1')
    : json;

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Reads the events of `invokeEvent`: Anthropic's, and the faults of the framing. */
export function createInvokeStream(context: OneChoiceContext): StreamTranslator {
  const translator = createAnthropicStream(context);
  return {
    ...translator,
    frame(frame) {
      const fault = bedrockFrameFault(frame, context.providerId);
      if (fault !== undefined) throw fault;
      return translator.frame(frame);
    },
  };
}
