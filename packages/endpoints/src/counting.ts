import type { ErrorCode } from '@tallyport/contracts';

/** What endpoints that only count tokens have in common. */
export const counting = {
  description: `Anthropic, Google and OpenAI count for their own models, and AWS Bedrock for Claude; nothing is billed. Otherwise, and if the
vendor does not answer within two seconds, it is an estimate: about four characters per token, and 1,000 tokens per image.`,
  answer: { description: 'The tokens.', headers: ['X-Tallyport-Count'] },
} as const;

/** Their errors in the APIs of other vendors. */
export const countFailures: readonly ErrorCode[] = [
  ...(['invalid_json', 'invalid_parameters', 'unsupported_parameter', 'invalid_api_key'] as const),
  ...(['permission_denied', 'model_not_found', 'rate_limit_exceeded'] as const),
];
