/** Abilities that some models lack. */
export type Ability = 'tools' | 'tool results' | 'images' | 'schema' | 'stop';

/** A vendor family of the simulator, and the gateway's settings for it. */
interface Family {
  provider: string;
  /** Its id in the catalogue. Tests use it with the provider prefix, so that no other provider answers. */
  model: string;
  /** The prefix of `<STEM>_API_KEY` and `<STEM>_BASE_URL`. */
  stem: string;
  /** The variable of the key. Default: `<STEM>_API_KEY`; `null`: no key. */
  keyVariable?: string | null;
  /** Path below the simulator's address. */
  path: string;
  /** Further settings. */
  settings?: Readonly<Record<string, string>>;
  lacks?: readonly Ability[];
}

const vertex = {
  provider: 'google-vertex',
  stem: 'GOOGLE_VERTEX',
  path: '/vertex/v1',
  settings: { GOOGLE_VERTEX_PROJECT: 'our-project', GOOGLE_VERTEX_LOCATION: 'europe-west4' },
};

const list: readonly Family[] = [
  {
    provider: 'alibaba',
    model: 'qwen3.7-plus',
    stem: 'DASHSCOPE',
    path: '/alibaba/compatible-mode/v1',
    lacks: ['schema'],
  },
  { provider: 'anthropic', model: 'claude-haiku-4-5', stem: 'ANTHROPIC', path: '/anthropic/v1' },
  { provider: 'anthropic', model: 'claude-opus-4-8', stem: 'ANTHROPIC', path: '/anthropic/v1' },
  {
    provider: 'aws-bedrock',
    model: 'claude-haiku-4-5',
    stem: 'AWS_BEDROCK',
    keyVariable: 'AWS_BEARER_TOKEN_BEDROCK',
    path: '/bedrock',
  },
  { provider: 'azure', model: 'gpt-6-luna', stem: 'AZURE', path: '/azure/openai/v1', lacks: ['stop'] },
  { provider: 'cerebras', model: 'gpt-oss-120b', stem: 'CEREBRAS', path: '/cerebras/v1', lacks: ['images'] },
  {
    provider: 'deepseek',
    model: 'deepseek-v4-flash',
    stem: 'DEEPSEEK',
    path: '/deepseek',
    lacks: ['schema', 'images'],
  },
  { provider: 'fireworks', model: 'kimi-k2.6', stem: 'FIREWORKS', path: '/fireworks/inference/v1', lacks: ['schema'] },
  { provider: 'google', model: 'gemini-2.5-flash-lite', stem: 'GEMINI', path: '/google/v1beta' },
  { provider: 'google', model: 'gemini-3-flash-preview', stem: 'GEMINI', path: '/google/v1beta' },
  { ...vertex, model: 'claude-haiku-4-5' },
  { ...vertex, model: 'gemini-2.5-flash-lite' },
  { ...vertex, model: 'gemini-3-flash-preview' },
  { provider: 'groq', model: 'gpt-oss-120b', stem: 'GROQ', path: '/groq/openai/v1', lacks: ['images'] },
  { provider: 'minimax', model: 'minimax-m2.7', stem: 'MINIMAX', path: '/minimax/v1', lacks: ['schema', 'images'] },
  { provider: 'mistral', model: 'mistral-medium-2604', stem: 'MISTRAL', path: '/mistral/v1' },
  { provider: 'moonshot', model: 'kimi-k2.6', stem: 'MOONSHOT', path: '/moonshot/v1' },
  { provider: 'novita', model: 'deepseek-v4-flash', stem: 'NOVITA', path: '/novita/openai', lacks: ['images'] },
  {
    provider: 'ollama',
    model: 'gpt-oss-20b',
    stem: 'OLLAMA',
    keyVariable: null,
    path: '/ollama/v1',
    lacks: ['schema', 'images'],
  },
  { provider: 'openai', model: 'gpt-6-luna', stem: 'OPENAI', path: '/v1', lacks: ['stop'] },
  { provider: 'openrouter', model: 'claude-haiku-4-5', stem: 'OPENROUTER', path: '/openrouter/api/v1' },
  { provider: 'perplexity', model: 'sonar-pro', stem: 'PERPLEXITY', path: '/perplexity', lacks: ['tools', 'schema'] },
  { provider: 'together', model: 'kimi-k2.6', stem: 'TOGETHER', path: '/together/v1' },
  { provider: 'xai', model: 'grok-4.3', stem: 'XAI', path: '/xai/v1', lacks: ['stop'] },
  { provider: 'zai', model: 'glm-4.6v', stem: 'ZAI', path: '/zai/api/paas/v4', lacks: ['schema'] },
];

export const families = list.map((family) => ({ ...family, name: `${family.provider}/${family.model}` }));

export type NamedFamily = (typeof families)[number];

export const can = ({ lacks = [] }: Family, ...abilities: Ability[]): boolean =>
  !abilities.some((ability) => lacks.includes(ability));

/** Vendors that serve only calls, such as rankings. */
const callVendors: readonly Pick<Family, 'stem' | 'path' | 'keyVariable' | 'settings'>[] = [
  { stem: 'COHERE', path: '/cohere' },
  { stem: 'JINA', path: '/jina/v1' },
  { stem: 'TYPESAFE', path: '/typesafe/v1' },
  { stem: 'VOYAGE', path: '/voyage/v1' },
];

/** The gateway's settings that point every vendor at the simulator, with one key. */
export const environmentFor = (simulatorUrl: string, key: string): Record<string, string> =>
  Object.fromEntries(
    [...families, ...callVendors].flatMap(({ stem, keyVariable = `${stem}_API_KEY`, path, settings = {} }) => [
      ...Object.entries(settings),
      ...(keyVariable === null ? [] : [[keyVariable, key]]),
      [`${stem}_BASE_URL`, simulatorUrl + path],
    ]),
  );
