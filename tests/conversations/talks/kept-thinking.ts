import { expect } from 'vitest';
import { can, type NamedFamily } from '../../clients/families.ts';
import type { Rig } from '../../clients/rig.ts';
import { sentThinking } from './sent-thinking.ts';
import { type TalkApi, talks, threeQuestions } from './talks.ts';

/** Models that think, at vendors that take their thinking back. */
const thinkers =
  /^(alibaba|anthropic|aws-bedrock|cerebras|deepseek|fireworks|groq|minimax|moonshot|novita|ollama|openrouter|together|zai)\/|\/(gemini|claude)-/;

/** Their thinking leaves them, encrypted, in one API only. */
const responders = /^(azure|openai)\//;

/** Whether the thinking before calls is kept over the turns of a conversation. */
export const keepsThinking = ({ name }: NamedFamily, api: TalkApi): boolean =>
  thinkers.test(name) || (api === 'responses' && responders.test(name));

/** Holds three questions over the API and looks at what the vendor gets last. Throws if anything is missing. */
export async function checkThinking(
  { family, api, rig }: { family: NamedFamily; api: TalkApi; rig: Rig },
  stream: boolean,
): Promise<void> {
  for (const talkOver of talks[api]) {
    rig.simulator.reset();
    const talk = talkOver({ family, rig, model: () => family.name, stream });
    await threeQuestions(talk, can(family, 'images'), () => undefined);
    const { requests } = rig.simulator;
    expect(requests.filter(({ status = 0 }) => status >= 400)).toEqual([]);
    const { callers, bare, unsignedTexts } = sentThinking(JSON.parse(requests.at(-1)?.body ?? '{}'));
    expect({ isLong: callers >= 3, bare, unsignedTexts }).toEqual({ isLong: true, bare: 0, unsignedTexts: 0 });
  }
}
