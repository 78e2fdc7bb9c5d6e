import type { ChatChunk, Usage } from '@tallyport/wire';
import { secondMessage, truncatedStream } from '../faults/broken-answer.ts';
import { createJsonFrames } from '../json-frames.ts';
import { createOneChoice, type OneChoiceContext } from '../one-choice.ts';
import type { StreamTranslator } from '../spec/provider.ts';
import type { Members } from '../read.ts';
import { createBedrockBlocks } from './blocks.ts';
import { bedrockFrameFault } from './error.ts';
import { bedrockThoughts } from './reasoning.ts';
import { bedrockFinishReason, reportedStop } from './stop-reason.ts';
import { bedrockUsage } from './usage.ts';

export function createBedrockStream(context: OneChoiceContext): StreamTranslator {
  const { providerId } = context;
  const blocks = createBedrockBlocks(context);
  const choice = createOneChoice(context, bedrockThoughts.follow(context));
  const frames = createJsonFrames(providerId);
  let usage: Usage | undefined;
  let measured = false;
  let done = false;

  /** Normally the last event, sometimes earlier; the usage is returned at the end in both cases. */
  function metadata(event: Members): ChatChunk[] {
    usage = bedrockUsage(event) ?? usage;
    measured = true;
    return choice.finished() ? close() : [];
  }

  function messageStop(event: Members): ChatChunk[] {
    const reason = bedrockFinishReason(event.stopReason, blocks.called());
    return [...choice.finish(reason, reportedStop(event, context.call.request)), ...(measured ? close() : [])];
  }

  function close(): ChatChunk[] {
    done = true;
    return choice.close(usage);
  }

  function translate(type: string | undefined, event: Members): ChatChunk[] {
    switch (type) {
      case 'messageStart':
        if (blocks.begun()) throw secondMessage(providerId);
        return choice.begin(undefined);
      case 'contentBlockStart':
        return choice.say(blocks.start(event));
      case 'contentBlockDelta':
        return choice.say(blocks.delta(event));
      case 'contentBlockStop':
        return choice.say(blocks.stop(event));
      case 'messageStop':
        return messageStop(event);
      case 'metadata':
        return metadata(event);
      default:
        // Unknown events.
        return [];
    }
  }

  return {
    frame(frame) {
      if (done) return [];
      const fault = bedrockFrameFault(frame, providerId);
      if (fault !== undefined) throw fault;
      const event = frames.read(frame);
      return event === undefined ? [] : translate(frame.event, event);
    },
    end() {
      if (!choice.finished()) throw truncatedStream(providerId);
      return choice.close(usage);
    },
    finished: choice.finished,
    done: () => done,
    usage: () => usage,
    skipped: frames.skipped,
  };
}
