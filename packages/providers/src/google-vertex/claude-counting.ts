import { inputTokensIn, promptMembers } from '../anthropic/counting.ts';
import { countingHeaders, type TokenCounting, withMembers } from '../counting/token-counting.ts';

const kept = new Set([...promptMembers, 'anthropic_version']);

/** Claude's tokens are counted at one address for all its models, so that the body names the model. */
export const claudeCounting: TokenCounting = {
  request: ({ headers, body }, { modelName }) => ({
    method: 'POST',
    path: '/publishers/anthropic/models/count-tokens:rawPredict',
    headers: { ...headers, ...countingHeaders },
    body: withMembers(body, kept, { model: JSON.stringify(modelName) }),
  }),
  tokens: inputTokensIn,
  answersClients: true,
};
