import { expect } from 'vitest';
import { can, type NamedFamily } from '../../clients/families.ts';
import { sentThinking } from '../talks/sent-thinking.ts';
import { talks, threeQuestions } from '../talks/talks.ts';
import type { Column } from './column.ts';

/** Models that think, at vendors that take their thinking back. */
const thinkers =
  /^(alibaba|anthropic|aws-bedrock|azure|cerebras|deepseek|fireworks|groq|minimax|moonshot|novita|ollama|openai|openrouter|together|zai)\/|\/(gemini|claude)-/;

/** What led to calls is sent back in all later requests, over three questions, in the form that the vendor takes. */
export const thinking: Column = {
  title: 'thinking kept',
  holds: ({ name }: NamedFamily) => thinkers.test(name),
  async check({ family, api, rig }, stream) {
    for (const talkOver of talks[api]) {
      rig.simulator.reset();
      const talk = talkOver({ rig, model: () => family.name, stream });
      await threeQuestions(talk, can(family, 'images'), () => undefined);
      const { requests } = rig.simulator;
      expect(requests.filter(({ status = 0 }) => status >= 400)).toEqual([]);
      const { callers, bare, unsignedTexts } = sentThinking(JSON.parse(requests.at(-1)?.body ?? '{}'));
      expect({ isLong: callers >= 3, bare, unsignedTexts }).toEqual({ isLong: true, bare: 0, unsignedTexts: 0 });
    }
  },
};
