import { dataEvent, hasDirective, objectsOf, piece } from '@tallyport/sandbox';
import { product } from '../../bill/decimal.ts';
import { ownKeyFee } from '../../bill/prices/openrouter.ts';
import { signThought } from '../../thought-signature.ts';
import { usageWithDetails } from '../spelling.ts';
import type { CompatibleVendor } from '../vendor.ts';
import { orderOfMistrals } from './mistral-order.ts';
import { openRouterImage, refuseImageSettings } from './openrouter-images.ts';

const processing = piece('comment', ': OPENROUTER PROCESSING\n\n');

const failure = (code: number, message: string) => ({
  code,
  message,
  metadata: { provider_name: 'Simulated', raw: message },
});

const claudeModels = /^anthropic\//;

/** With a key of the vendor's own, it charges a fee, and the vendor the rest. It names what the vendor takes in any case. */
function costMembers(cost: string, isOwnKey: boolean) {
  return {
    cost: Number(isOwnKey ? product(cost, ownKeyFee) : cost),
    is_byok: isOwnKey,
    cost_details: { upstream_inference_cost: Number(cost) },
  };
}

/**
 * Returns the provider and the cost, keeps the connection open with comments, and ends a broken stream with an error
 * chunk.
 */
export const openrouterVendor: CompatibleVendor = {
  id: 'openrouter',
  keyPath: '/key',
  ownMembers: ['modalities', 'reasoning_effort'],
  // It fetches files.
  ownParts: ['file'],
  refuse: (body) => refuseImageSettings(body) ?? orderOfMistrals(body.model, objectsOf(body.messages)),
  imageChoice: openRouterImage,
  errorTexts: {
    401: { message: 'No auth credentials found' },
    402: { message: 'Insufficient credits. Add more using https://openrouter.ai/credits' },
    503: { message: 'No endpoints found that fit the request.' },
  },
  errorBody: ({ status, message }) => ({ error: failure(status, message), user_id: 'user_simulated' }),
  midStream: [
    dataEvent('error', {
      id: 'gen-simulated',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'simulated',
      provider: 'Simulated',
      error: failure(502, 'Provider returned error'),
      choices: [
        {
          index: 0,
          delta: { content: '' },
          finish_reason: 'error',
          native_finish_reason: 'error',
        },
      ],
    }),
  ],
  comment: processing,
  cachesMarks: claudeModels,
  spell: ({ question }) => ({
    reasoning: 'reasoning',
    tier: hasDirective(question.lastText, 'byok') ? 'byok' : 'default',
    usage: (spent, billed) => ({
      ...usageWithDetails(spent),
      ...(claudeModels.test(question.model) && {
        prompt_tokens_details: { cached_tokens: spent.cacheRead, cache_write_tokens: spent.cacheWrite },
      }),
      ...costMembers(billed('default'), hasDirective(question.lastText, 'byok')),
    }),
    usagePlace: 'asked',
    finishReason: ({ finishReason }) => (finishReason === 'refusal' ? 'content_filter' : finishReason),
    answerMembers: { provider: 'Simulated' },
    choiceMembers: { native_finish_reason: 'STOP', logprobs: null },
    reasoningDetail: ({ text, signs }) => ({
      type: 'reasoning.text',
      text,
      ...(signs !== undefined && { signature: signThought(signs) }),
      format: 'anthropic-claude-v1',
      index: 0,
    }),
    messageMembers: ({ images }) => ({
      ...(images.length > 0 && {
        images: images.map(({ mediaType, base64 }, index) => ({
          type: 'image_url',
          image_url: { url: `data:${mediaType};base64,${base64}` },
          index,
        })),
      }),
    }),
    preamble: { stream: [processing, processing], whole: '\n         \n' },
  }),
};
