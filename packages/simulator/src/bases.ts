import { sandboxBasePath, sandboxProviders } from '@tallyport/sandbox';

/** The base path of each vendor, in place of the vendor's own host. */
const bases: Readonly<Record<string, string>> = {
  alibaba: '/alibaba/compatible-mode/v1',
  anthropic: '/anthropic',
  'aws-bedrock': '/bedrock',
  azure: '/azure',
  bytedance: '/bytedance/api/v3',
  cerebras: '/cerebras/v1',
  cohere: '/cohere',
  deepseek: '/deepseek',
  fireworks: '/fireworks/inference/v1',
  google: '/google',
  'google-vertex': '/vertex',
  groq: '/groq/openai/v1',
  jina: '/jina/v1',
  minimax: '/minimax/v1',
  mistral: '/mistral/v1',
  moonshot: '/moonshot/v1',
  novita: '/novita/openai',
  ollama: '/ollama/v1',
  openrouter: '/openrouter/api/v1',
  perplexity: '/perplexity',
  tei: '/tei',
  together: '/together/v1',
  typesafe: '/typesafe/v1',
  vllm: '/vllm/v1',
  voyage: '/voyage/v1',
  xai: '/xai/v1',
  zai: '/zai/api/paas/v4',
  openai: '/v1',
  ...Object.fromEntries(sandboxProviders.map(({ id }) => [id, sandboxBasePath(id)])),
};

/** Throws for an unknown provider, so that a typing error in a test does not look like a provider that is down. */
export function basePathOf(provider = 'openai'): string {
  const base = bases[provider];
  if (base === undefined)
    throw new Error(`Unknown vendor '${provider}'. Use one of: ${Object.keys(bases).join(', ')}.`);
  return base;
}
