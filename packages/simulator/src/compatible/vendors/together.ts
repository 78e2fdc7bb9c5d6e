import { openAiErrorBody, openAiUnknownModel } from '@tallyport/sandbox';
import { compatibleUsage } from '../spelling.ts';
import type { CompatibleVendor } from '../vendor.ts';

/** Model ids are ORG/NAME; some models write thinking into the content and stop at `eos`. */
export const togetherVendor: CompatibleVendor = {
  id: 'together',
  refuse: ({ model }) => (/^[\w.-]+\/[\w.-]+$/.test(String(model)) ? undefined : openAiUnknownModel(String(model))),
  errorBody: (error) => ({ id: 'sim-0000', ...openAiErrorBody(error) }),
  spell: ({ question }) => ({
    reasoning: /deepseek-r1/i.test(question.model) ? 'think' : 'reasoning',
    usage: compatibleUsage,
    usagePlace: 'last',
    finishReason: ({ finishReason }) => (finishReason === 'stop' || finishReason === 'refusal' ? 'eos' : finishReason),
    answerMembers: question.stream ? {} : { prompt: [] },
    choiceMembers: { seed: 1_234_567_890, logprobs: null },
  }),
};
