/** What not every model behind the gateway can do. */
export type Ability = 'tools' | 'tool results' | 'images' | 'schema' | 'stop';

/** A vendor family as the simulator plays it, and how the gateway is pointed there. */
export interface Family {
  provider: string;
  /** As the catalogue has it at this provider. It is asked for with the prefix, so that nobody else answers. */
  model: string;
  /** Of `<STEM>_API_KEY` and `<STEM>_BASE_URL`. */
  stem: string;
  /** Where the key is not `<STEM>_API_KEY`; `null`: it takes none. */
  keyVariable?: string | null;
  /** Follows the simulator's own address. */
  path: string;
  /** What it takes besides key and address. */
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
  { provider: 'anthropic', model: 'claude-sonnet-4-5', stem: 'ANTHROPIC', path: '/anthropic/v1' },
  { provider: 'anthropic', model: 'claude-opus-4-8', stem: 'ANTHROPIC', path: '/anthropic/v1' },
  {
    provider: 'aws-bedrock',
    model: 'claude-sonnet-4-5',
    stem: 'AWS_BEDROCK',
    keyVariable: 'AWS_BEARER_TOKEN_BEDROCK',
    path: '/bedrock',
  },
  { provider: 'azure', model: 'gpt-4o-mini', stem: 'AZURE', path: '/azure/openai/v1' },
  { provider: 'cerebras', model: 'gpt-oss-120b', stem: 'CEREBRAS', path: '/cerebras/v1', lacks: ['images'] },
  {
    provider: 'deepseek',
    model: 'deepseek-v4-flash',
    stem: 'DEEPSEEK',
    path: '/deepseek',
    lacks: ['schema', 'images'],
  },
  { provider: 'fireworks', model: 'kimi-k2.6', stem: 'FIREWORKS', path: '/fireworks/inference/v1', lacks: ['schema'] },
  { provider: 'google', model: 'gemini-2.5-flash', stem: 'GEMINI', path: '/google/v1beta' },
  { provider: 'google', model: 'gemini-3-flash-preview', stem: 'GEMINI', path: '/google/v1beta' },
  { ...vertex, model: 'gemini-2.5-flash' },
  { ...vertex, model: 'gemini-3-flash-preview' },
  { provider: 'groq', model: 'llama-4-scout-17b-instruct', stem: 'GROQ', path: '/groq/openai/v1' },
  { provider: 'minimax', model: 'minimax-m2.7', stem: 'MINIMAX', path: '/minimax/v1', lacks: ['schema', 'images'] },
  { provider: 'mistral', model: 'mistral-medium-2604', stem: 'MISTRAL', path: '/mistral/v1' },
  // Wants its thinking back with each call's result, which these clients do not keep.
  { provider: 'moonshot', model: 'kimi-k2.6', stem: 'MOONSHOT', path: '/moonshot/v1', lacks: ['tool results'] },
  { provider: 'novita', model: 'qwen3-max', stem: 'NOVITA', path: '/novita/openai', lacks: ['images'] },
  {
    provider: 'ollama',
    model: 'gpt-oss-20b',
    stem: 'OLLAMA',
    keyVariable: null,
    path: '/ollama/v1',
    lacks: ['schema', 'images'],
  },
  { provider: 'openai', model: 'gpt-4o-mini', stem: 'OPENAI', path: '/v1' },
  { provider: 'openrouter', model: 'claude-sonnet-4-5', stem: 'OPENROUTER', path: '/openrouter/api/v1' },
  { provider: 'perplexity', model: 'sonar-pro', stem: 'PERPLEXITY', path: '/perplexity', lacks: ['tools', 'schema'] },
  { provider: 'together', model: 'kimi-k2.6', stem: 'TOGETHER', path: '/together/v1' },
  { provider: 'xai', model: 'grok-4.3', stem: 'XAI', path: '/xai/v1', lacks: ['stop'] },
  { provider: 'zai', model: 'glm-4.6v', stem: 'ZAI', path: '/zai/api/paas/v4', lacks: ['schema'] },
];

export const families = list.map((family) => ({ ...family, name: `${family.provider}/${family.model}` }));

export type NamedFamily = (typeof families)[number];

export const can = ({ lacks = [] }: Family, ...abilities: Ability[]): boolean =>
  !abilities.some((ability) => lacks.includes(ability));

/** What points the gateway at the simulator for every family, with one key. */
export const environmentFor = (simulatorUrl: string, key: string): Record<string, string> =>
  Object.fromEntries(
    families.flatMap(({ stem, keyVariable = `${stem}_API_KEY`, path, settings = {} }) => [
      ...Object.entries(settings),
      ...(keyVariable === null ? [] : [[keyVariable, key]]),
      [`${stem}_BASE_URL`, simulatorUrl + path],
    ]),
  );
