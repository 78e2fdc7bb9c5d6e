import { type ChatChunk, frameText } from '@tallyport/wire';
import { secondMessage, truncatedStream } from '../faults/broken-answer.ts';
import { createJsonFrames } from '../json-frames.ts';
import { createOneChoice, type OneChoiceContext } from '../one-choice.ts';
import type { StreamTranslator } from '../spec/provider.ts';
import { type Members, members, text } from '../read.ts';
import { createAnthropicBlocks } from './blocks.ts';
import { anthropicFault } from './error.ts';
import { refusalIn } from './response.ts';
import { anthropicFinishReason } from './stop-reason.ts';
import { claudeThoughts } from './thinking.ts';
import { laterUsage, anthropicUsage } from './usage.ts';

export function createAnthropicStream(context: OneChoiceContext): StreamTranslator {
  const { providerId } = context;
  const blocks = createAnthropicBlocks(context);
  const choice = createOneChoice(context, claudeThoughts.follow(context));
  const frames = createJsonFrames(providerId);
  let rawUsage: Members = {};
  let done = false;

  const finish = (stopReason: unknown, stop?: string): ChatChunk[] =>
    choice.finish(anthropicFinishReason(stopReason, blocks.called()), stop);

  function messageDelta(event: Members): ChatChunk[] {
    rawUsage = laterUsage(rawUsage, members(event.usage));
    const { stop_reason: reason, stop_sequence: stop, stop_details } = members(event.delta);
    if (text(reason) === undefined) return [];
    const refusal = refusalIn({ stop_details });
    return [...choice.say(refusal === undefined ? undefined : { refusal }), ...finish(reason, text(stop))];
  }

  function translate(event: Members): ChatChunk[] {
    switch (event.type) {
      case 'message_start':
        if (blocks.begun()) throw secondMessage(providerId);
        rawUsage = laterUsage(rawUsage, members(members(event.message).usage));
        return choice.begin(text(members(event.message).model));
      case 'content_block_start':
        return choice.say(blocks.start(event));
      case 'content_block_delta':
        return choice.say(blocks.delta(event));
      case 'content_block_stop':
        return choice.say(blocks.stop(event));
      case 'message_delta':
        return messageDelta(event);
      case 'message_stop':
        done = true;
        return [...finish(undefined), ...choice.close(anthropicUsage(rawUsage))];
      case 'error':
        throw anthropicFault(event, providerId);
      default:
        // Pings and unknown events.
        return [];
    }
  }

  return {
    frame(frame) {
      if (done) return [];
      const event = frames.read(frame);
      if (event !== undefined) return translate(event);
      if (frame.event === 'error') throw anthropicFault(frameText(frame), providerId);
      return [];
    },
    end() {
      if (!choice.finished()) throw truncatedStream(providerId);
      return choice.close(anthropicUsage(rawUsage));
    },
    finished: choice.finished,
    done: () => done,
    usage: () => anthropicUsage(rawUsage),
    skipped: frames.skipped,
  };
}
