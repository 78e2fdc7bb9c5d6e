import type { ProviderKeyProblem, ProviderKeyTestResult } from '@tallyport/contracts';
import type { FailureType } from '@tallyport/dispatch';

interface Place {
  provider: string;
  model: string;
}

/** What a failed attempt with a key says about the key. */
export function keyProblem(type: FailureType, place: Place): Omit<ProviderKeyTestResult, 'durationMs'> {
  const problem = problems[type] ?? 'provider';
  return { ok: false, problem, message: messages[problem](place), model: place.model };
}

const problems: Partial<Record<FailureType, ProviderKeyProblem>> = {
  own_key_refused: 'refused',
  own_key_billing: 'billing',
  own_key_rate_limited: 'rate_limited',
  own_key_model_not_found: 'model_not_found',
};

const messages: Readonly<Record<ProviderKeyProblem, (place: Place) => string>> = {
  refused: ({ provider }) => `${provider} refused the key. Check it there, or replace it here.`,
  billing: ({ provider }) => `${provider} accepts the key, but its account cannot pay. Check the billing there.`,
  rate_limited: ({ provider }) => `${provider} accepts the key, but its rate limit is reached. Test it again later.`,
  model_not_found: ({ provider, model }) =>
    `${provider} knows the key, but gives it no access to models such as ${model}.`,
  not_testable: ({ provider }) => `The key was not tested at ${provider}.`,
  provider: ({ provider }) =>
    `${provider} did not answer as it should, which says nothing about the key. Test it again later.`,
};
