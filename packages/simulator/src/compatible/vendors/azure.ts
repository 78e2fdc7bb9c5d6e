import { dataEvent, invalidRequest, openAiTier } from '@tallyport/sandbox';
import { checkByModel } from '../../openai/model-strictness.ts';
import { findOpenAiFault } from '../../openai/strictness.ts';
import type { CompatibleVendor } from '../vendor.ts';

const safe = { filtered: false, severity: 'safe' };
const filters = { hate: safe, self_harm: safe, sexual: safe, violence: safe };
const promptFilters = {
  prompt_filter_results: [
    { prompt_index: 0, content_filter_results: { ...filters, jailbreak: { filtered: false, detected: false } } },
  ],
};

/** Two addresses: with the deployment in the path and a version in the query, or with the model in the body. */
export const azureVendor: CompatibleVendor = {
  id: 'azure',
  keyPath: '/openai/v1/models',
  path: /^\/azure\/openai\/(?:v1|deployments\/[^/]+)\/chat\/completions$/,
  credential: 'api-key',
  modelOf: ({ path }) => /\/deployments\/([^/]+)\//.exec(path)?.[1],
  refuse: (body, { path, query }) => {
    const version = new URLSearchParams(query).get('api-version');
    const wrongVersion =
      version === null
        ? path.includes('/deployments/')
        : !/^(\d{4}-\d{2}-\d{2}(-preview)?|preview|latest|v1)$/.test(version);
    if (wrongVersion) return { ...invalidRequest('Resource not found', null, '404'), status: 404 };
    if (JSON.stringify(body.messages).includes('[refusal]')) return filtered;
    return findOpenAiFault(body, { refusesUnknownParameters: true }) ?? checkByModel(body);
  },
  errorTexts: {
    401: {
      message:
        'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.',
      code: '401',
    },
    404: { message: 'The API deployment for this resource does not exist.', code: 'DeploymentNotFound' },
    429: { message: 'Requests to the ChatCompletions_Create Operation have exceeded call rate limit.', code: '429' },
  },
  errorBody: ({ code, message, status, param }) =>
    code === 'content_filter'
      ? contentFilterBody(message)
      : { error: { code: code ?? String(status), message, ...(param !== null && { param }) } },
  spell: ({ body, question }) => ({
    tier: openAiTier(body.service_tier, question.lastText),
    answerMembers: {
      service_tier: openAiTier(body.service_tier, question.lastText),
      system_fingerprint: 'fp_simulated',
      ...(!question.stream && promptFilters),
    },
    choiceMembers: { logprobs: null, content_filter_results: filters },
    messageMembers: () => (question.stream ? {} : { refusal: null, annotations: [] }),
    preamble: {
      stream: [dataEvent('comment', { choices: [], created: 0, id: '', model: '', object: '', ...promptFilters })],
      whole: '',
    },
  }),
};

const filtered = invalidRequest(
  "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
  'prompt',
  'content_filter',
);

const contentFilterBody = (message: string) => ({
  error: {
    message,
    type: null,
    param: 'prompt',
    code: 'content_filter',
    status: 400,
    innererror: {
      code: 'ResponsibleAIPolicyViolation',
      content_filter_result: {
        ...filters,
        violence: {
          filtered: true,
          severity: 'medium',
        },
      },
    },
  },
});
