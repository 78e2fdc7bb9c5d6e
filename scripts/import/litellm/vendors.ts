/** A vendor of LiteLLM, by the prefix of its models. */
export type Vendor =
  | {
      kind: 'built-in';
      /** The provider of this gateway. */
      provider: string;
      /** Where LiteLLM reads the key if the file has none. */
      keyVariable: string;
      /** The setting of this gateway that replaces the provider's address. */
      baseVariable?: string;
      /** Its settings that this gateway reads from the environment, by their names in `litellm_params`. */
      variables?: Readonly<Record<string, string>>;
    }
  | {
      kind: 'compatible';
      /** Where its OpenAI-compatible API is, if not each operator has one. */
      baseUrl?: string;
      keyVariable?: string;
      /** What its address needs in addition for OpenAI's API. */
      path?: string;
    };

const builtIn = (
  provider: string,
  keyVariable: string,
  baseVariable = keyVariable.replace(/_API_KEY$/, '_BASE_URL'),
): Vendor => ({ kind: 'built-in', provider, keyVariable, baseVariable });

const google = { vertex_project: 'PROJECT', vertex_location: 'LOCATION', vertex_credentials: 'CREDENTIALS' };

const bedrock: Vendor = {
  kind: 'built-in',
  provider: 'aws-bedrock',
  keyVariable: 'AWS_BEARER_TOKEN_BEDROCK',
  baseVariable: 'AWS_BEDROCK_BASE_URL',
  variables: {
    aws_access_key_id: 'AWS_ACCESS_KEY_ID',
    aws_secret_access_key: 'AWS_SECRET_ACCESS_KEY',
    aws_session_token: 'AWS_SESSION_TOKEN',
    aws_region_name: 'AWS_REGION',
  },
};

/** By the prefix of `model`, or `custom_llm_provider`. A prefix that is missing has no place in this gateway. */
export const vendors: Readonly<Record<string, Vendor>> = {
  anthropic: builtIn('anthropic', 'ANTHROPIC_API_KEY'),
  azure: builtIn('azure', 'AZURE_API_KEY'),
  bedrock,
  bedrock_converse: bedrock,
  cerebras: builtIn('cerebras', 'CEREBRAS_API_KEY'),
  custom_openai: { kind: 'compatible' },
  dashscope: builtIn('alibaba', 'DASHSCOPE_API_KEY'),
  deepinfra: { kind: 'compatible', baseUrl: 'https://api.deepinfra.com/v1/openai', keyVariable: 'DEEPINFRA_API_KEY' },
  deepseek: builtIn('deepseek', 'DEEPSEEK_API_KEY'),
  fireworks_ai: builtIn('fireworks', 'FIREWORKS_API_KEY'),
  gemini: builtIn('google', 'GEMINI_API_KEY'),
  groq: builtIn('groq', 'GROQ_API_KEY'),
  hosted_vllm: { kind: 'compatible' },
  hyperbolic: { kind: 'compatible', baseUrl: 'https://api.hyperbolic.xyz/v1', keyVariable: 'HYPERBOLIC_API_KEY' },
  litellm_proxy: { kind: 'compatible', keyVariable: 'LITELLM_PROXY_API_KEY' },
  llamafile: { kind: 'compatible' },
  lm_studio: { kind: 'compatible' },
  minimax: builtIn('minimax', 'MINIMAX_API_KEY'),
  mistral: builtIn('mistral', 'MISTRAL_API_KEY'),
  moonshot: builtIn('moonshot', 'MOONSHOT_API_KEY'),
  nebius: { kind: 'compatible', baseUrl: 'https://api.studio.nebius.ai/v1', keyVariable: 'NEBIUS_API_KEY' },
  novita: builtIn('novita', 'NOVITA_API_KEY'),
  nvidia_nim: { kind: 'compatible', baseUrl: 'https://integrate.api.nvidia.com/v1', keyVariable: 'NVIDIA_NIM_API_KEY' },
  ollama: { kind: 'compatible', path: '/v1' },
  ollama_chat: { kind: 'compatible', path: '/v1' },
  openai: builtIn('openai', 'OPENAI_API_KEY'),
  openai_like: { kind: 'compatible' },
  openrouter: builtIn('openrouter', 'OPENROUTER_API_KEY'),
  perplexity: builtIn('perplexity', 'PERPLEXITYAI_API_KEY', 'PERPLEXITY_BASE_URL'),
  sambanova: { kind: 'compatible', baseUrl: 'https://api.sambanova.ai/v1', keyVariable: 'SAMBANOVA_API_KEY' },
  together_ai: builtIn('together', 'TOGETHERAI_API_KEY', 'TOGETHER_BASE_URL'),
  vertex_ai: {
    kind: 'built-in',
    provider: 'google-vertex',
    keyVariable: 'GOOGLE_VERTEX_API_KEY',
    baseVariable: 'GOOGLE_VERTEX_BASE_URL',
    variables: Object.fromEntries(Object.entries(google).map(([name, end]) => [name, `GOOGLE_VERTEX_${end}`])),
  },
  vllm: { kind: 'compatible' },
  volcengine: builtIn('bytedance', 'ARK_API_KEY'),
  xai: builtIn('xai', 'XAI_API_KEY'),
  xinference: { kind: 'compatible' },
  zai: builtIn('zai', 'ZAI_API_KEY'),
};

export interface VendorModel {
  prefix: string;
  /** The vendor's name for it. */
  name: string;
}

/** Splits `model`; a name without a prefix is OpenAI's unless its beginning says otherwise. */
export function vendorModelOf(model: string, prefix: string | undefined): VendorModel {
  const slash = model.indexOf('/');
  const first = slash < 0 ? '' : model.slice(0, slash);
  const isPrefixed = first === prefix || (prefix === undefined && slash > 0);
  const name = (isPrefixed ? model.slice(slash + 1) : model).replace(ways, '');
  return { prefix: prefix ?? (isPrefixed ? first : vendorOf(name)), name };
}

/** How a model is called there, which this gateway decides itself: `bedrock/converse/…`, `azure/responses/…`. */
const ways = /^(?:converse|converse_like|invoke|responses|chat)\//;

function vendorOf(name: string): string {
  if (name.startsWith('claude')) return 'anthropic';
  return name.startsWith('gemini') ? 'vertex_ai' : 'openai';
}
