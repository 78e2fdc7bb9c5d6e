import { frameText } from '@tallyport/wire';
import { createJsonFrames } from '../json-frames.ts';
import type { OneChoiceContext } from '../one-choice.ts';
import type { StreamTranslator } from '../spec/provider.ts';
import { createGeminiAnswer } from './answer.ts';
import { geminiError } from './error.ts';

export function createGeminiStream(context: OneChoiceContext): StreamTranslator {
  const answer = createGeminiAnswer(context);
  const frames = createJsonFrames(context.providerId);
  return {
    frame(frame) {
      const body = frames.read(frame);
      if (body !== undefined) return answer.add(body);
      if (frame.event !== 'error') return [];
      throw geminiError({ providerId: context.providerId, status: 500, headers: {}, body: frameText(frame) });
    },
    end: answer.end,
    finished: answer.finished,
    // The vendor has no final frame; the stream ends with the body.
    done: () => false,
    usage: answer.usage,
    skipped: frames.skipped,
  };
}
