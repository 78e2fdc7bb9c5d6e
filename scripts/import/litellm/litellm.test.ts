import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type KnownModels, readKnownModels } from '../known-models.ts';
import { filesOf } from '../write-draft.ts';
import { importLitellm } from './litellm.ts';

let known: KnownModels;
beforeAll(async () => {
  known = await readKnownModels();
});

const environment = { LLAMA_URL: 'http://llama.example:9000/v1' };

/** The written files as values, and what was left over, without its texts. */
function imported(text: string) {
  const draft = importLitellm(parse(text), { known, environment });
  const files = filesOf(draft, 'config.yaml');
  const account = parse(files.get('gateway.yaml') ?? '')?.accounts.default ?? {};
  return {
    account,
    catalogue: parse(files.get('tallyport.yaml') ?? ''),
    variables: Object.fromEntries(draft.variables),
    left: draft.left.all.map(({ path }) => path.join('.')),
    texts: [...files.values(), ...draft.left.all.map((each) => JSON.stringify(each))].join('\n'),
  };
}

const openai = 'litellm_params: { model: openai/gpt-5.5, api_key: os.environ/OPENAI_API_KEY }';
const claude = 'litellm_params: { model: anthropic/claude-sonnet-5, api_key: os.environ/ANTHROPIC_API_KEY }';
const routesOf = (text: string) => imported(text).account.routes;

describe('models', () => {
  test('a known model with its own name needs a key only', () => {
    expect(imported(`model_list: [{ model_name: gpt-5.5, ${openai} }]`)).toMatchObject({
      account: { providerKeys: { OPENAI_API_KEY: { provider: 'openai', key: { fromEnv: 'OPENAI_API_KEY' } } } },
      catalogue: null,
      left: [],
    });
  });

  test('a model with another name becomes a route', () => {
    expect(routesOf(`model_list: [{ model_name: fast, ${openai} }]`)).toEqual({
      fast: { targets: [{ model: 'gpt-5.5' }] },
    });
  });

  test('deployments of one model are offers, of which the score chooses', () => {
    const { account, catalogue, variables, left } = imported(`
      model_list:
        - { model_name: gpt-5.5, ${openai} }
        - model_name: gpt-5.5
          litellm_params: { model: azure/gpt55-sweden, api_base: https://acme.openai.azure.com/, api_key: os.environ/AZURE_KEY }
    `);
    expect(account.routes).toBe(undefined);
    expect(Object.keys(account.providerKeys)).toEqual(['OPENAI_API_KEY', 'AZURE_KEY']);
    expect(catalogue).toEqual({ models: { 'gpt-5.5': { offers: { azure: { model: 'gpt55-sweden' } } } } });
    expect(variables).toEqual({ AZURE_BASE_URL: { value: 'https://acme.openai.azure.com' } });
    expect(left).toEqual([]);
  });

  test('a second resource of Azure is a provider of its own', () => {
    const azure = (name: string) => `
        - model_name: gpt-5.5
          litellm_params: { model: azure/${name}, api_base: https://${name}.openai.azure.com, api_key: os.environ/${name} }`;
    const { account, catalogue } = imported(`model_list: ${azure('one')} ${azure('two')}`);
    expect(catalogue).toEqual({
      providers: { 'two-openai-azure-com': { baseUrl: 'https://two.openai.azure.com/openai/v1' } },
      models: { 'gpt-5.5': { offers: { azure: { model: 'one' }, 'two-openai-azure-com': { model: 'two' } } } },
    });
    expect(account.providerKeys.two).toEqual({ provider: 'two-openai-azure-com', key: { fromEnv: 'two' } });
  });
});

describe('shares', () => {
  test.each([
    ['weight: 9', 'weight: 1', [9, 1]],
    ['rpm: 600', 'rpm: 300', [600, 300]],
    ['tpm: 20000, rpm: 5', 'tpm: 10000', [5, 0]],
  ])('%s beside %s are the weights of a route', (one, other, weights) => {
    const { targets } = routesOf(`
      model_list:
        - { model_name: support, ${openai.replace('}', `, ${one} }`)} }
        - { model_name: support, ${claude.replace('}', `, ${other} }`)} }
    `).support;
    expect(targets).toEqual([
      { model: 'openai/gpt-5.5', weight: weights[0] },
      { model: 'anthropic/claude-sonnet-5', weight: weights[1] },
    ]);
  });

  test('another strategy than simple-shuffle leaves the choice to the score, and order comes before both', () => {
    const { account, left } = imported(`
      model_list:
        - { model_name: a, ${openai.replace('}', ', rpm: 5, order: 2 }')} }
        - { model_name: a, ${claude.replace('}', ', rpm: 6, order: 1 }')} }
      router_settings: { routing_strategy: latency-based-routing }
    `);
    expect(account.routes.a).toEqual({ targets: [{ model: 'claude-sonnet-5' }], then: ['openai/gpt-5.5'] });
    expect(left).toEqual(['router_settings.routing_strategy']);
  });
});

describe('providers', () => {
  test('servers of OpenAI’s format are providers, with prices as decimal text', () => {
    const { account, catalogue, left } = imported(`
      model_list:
        - model_name: house
          litellm_params: { model: hosted_vllm/llama-70b, api_base: http://10.0.0.7:8000/v1, api_key: none }
          model_info:
            { input_cost_per_token: 2.5e-07, output_cost_per_token: 0.000001, max_input_tokens: 32768, supports_function_calling: false }
        - model_name: house
          litellm_params: { model: hosted_vllm/llama-70b, api_base: os.environ/LLAMA_URL, api_key: os.environ/LLAMA_KEY }
        - { model_name: lost, litellm_params: { model: openai/x, api_base: os.environ/NOT_SET } }
        - { model_name: vec, litellm_params: { model: ollama/nomic, api_base: http://ollama:11434 }, model_info: { mode: embedding } }
    `);
    expect(catalogue).toEqual({
      providers: {
        '10-0-0-7-8000': { baseUrl: 'http://10.0.0.7:8000/v1', needsKey: false },
        'llama-example-9000': { baseUrl: 'http://llama.example:9000/v1' },
        'ollama-11434': { baseUrl: 'http://ollama:11434/v1', needsKey: false },
      },
      models: {
        house: {
          features: ['streaming', 'sampling', 'json', 'structured'],
          offers: {
            '10-0-0-7-8000': {
              model: 'llama-70b',
              pricing: { prompt: '0.00000025', completion: '0.000001' },
              contextLength: 32768,
            },
            'llama-example-9000': { model: 'llama-70b' },
          },
        },
        vec: { output: ['embeddings'], offers: { 'ollama-11434': { model: 'nomic' } } },
      },
    });
    expect(account).toEqual({
      providerKeys: { LLAMA_KEY: { provider: 'llama-example-9000', key: { fromEnv: 'LLAMA_KEY' } } },
    });
    expect(left).toEqual(['model_list.0', 'model_list.2.litellm_params.api_base', 'model_list.3']);
  });

  test('clouds have settings of the gateway, and a wildcard only a key', () => {
    const { account, variables, left } = imported(`
      model_list:
        - model_name: sonnet
          litellm_params:
            { model: bedrock/converse/eu.anthropic.claude-sonnet-5, aws_region_name: eu-west-1, aws_access_key_id: os.environ/AWS_ID, aws_secret_access_key: os.environ/AWS_SECRET }
        - { model_name: 'openai/*', litellm_params: { model: 'openai/*' } }
    `);
    expect(variables).toEqual({
      AWS_ACCESS_KEY_ID: { variable: 'AWS_ID' },
      AWS_SECRET_ACCESS_KEY: { variable: 'AWS_SECRET' },
      AWS_REGION: { value: 'eu-west-1' },
    });
    expect(account).toEqual({
      providerKeys: { OPENAI_API_KEY: { provider: 'openai', key: { fromEnv: 'OPENAI_API_KEY' } } },
      routes: { sonnet: { targets: [{ model: 'claude-sonnet-5' }] } },
    });
    expect(left).toEqual(['model_list.1.model_name']);
  });
});

describe('fallbacks', () => {
  const models = `model_list: [{ model_name: a, ${openai} }, { model_name: b, ${claude} }, { model_name: gpt-5.5, ${openai} }]`;

  test('are stand-ins, of which each model is asked once, and circles end', () => {
    expect(routesOf(`${models}\nrouter_settings: { fallbacks: [{ a: [b] }, { b: [a, gemini-3.5-flash] }] }`)).toEqual({
      a: {
        targets: [{ model: 'gpt-5.5' }],
        then: ['claude-sonnet-5', 'gemini-3.5-flash'],
        onContentFilter: 'next',
      },
      b: { targets: [{ model: 'claude-sonnet-5' }], then: ['gpt-5.5', 'gemini-3.5-flash'], onContentFilter: 'next' },
    });
  });

  test('by default hold for all groups without their own', () => {
    const { account } = imported(
      `${models}\nlitellm_settings: { default_fallbacks: [b], fallbacks: [{ a: [gpt-5.5] }] }`,
    );
    expect(account.routes['gpt-5.5']).toEqual({
      targets: [{ model: 'gpt-5.5' }],
      then: ['claude-sonnet-5'],
      onContentFilter: 'next',
    });
    expect(account.routes.a).toEqual({
      targets: [{ model: 'gpt-5.5' }],
      then: ['claude-sonnet-5'],
      onContentFilter: 'next',
    });
    expect(account.routes.b).toEqual({ targets: [{ model: 'claude-sonnet-5' }] });
  });

  test('for long prompts are a condition, those for content filters a stand-in', () => {
    const { account, left } = imported(`${models}
router_settings:
  context_window_fallbacks: [{ a: [b] }]
  content_policy_fallbacks: [{ gpt-5.5: [b] }]
`);
    expect(account.routes).toEqual({
      a: { targets: [{ model: 'gpt-5.5' }], when: [{ if: 'request.tokens > 1050000', use: ['claude-sonnet-5'] }] },
      b: { targets: [{ model: 'claude-sonnet-5' }] },
      'gpt-5.5': { targets: [{ model: 'gpt-5.5' }], then: ['claude-sonnet-5'], onContentFilter: 'next' },
    });
    expect(left).toEqual(['router_settings.content_policy_fallbacks.0.gpt-5.5']);
  });

  test('aliases are routes of their own', () => {
    const { account, left } = imported(`${models}
router_settings:
  model_group_alias: { cheap: a, plain: { model: cheap, hidden: true }, lost: nowhere, round: round }
`);
    const route = { targets: [{ model: 'gpt-5.5' }] };
    expect(account.routes).toEqual({
      a: route,
      b: { targets: [{ model: 'claude-sonnet-5' }] },
      cheap: route,
      plain: route,
    });
    expect(left).toEqual([
      'router_settings.model_group_alias.plain.hidden',
      'router_settings.model_group_alias.lost',
      'router_settings.model_group_alias.round',
    ]);
  });
});

describe('what is left over', () => {
  test('is every member that has no place here', () => {
    const { left, account } = imported(`
      model_list:
        - { model_name: a, litellm_params: { model: sagemaker/x } }
        - { model_name: b, ${openai.replace('}', ', timeout: 5, surprise: 1 }')}, extra: 1 }
        - { model_name: c }
        - text
      litellm_settings: { cache: true, cache_params: { ttl: 3, type: redis }, success_callback: [langfuse], __proto__: 1 }
      general_settings: { master_key: sk-master, new_thing: { a: 1 } }
      environment_variables: { SOME: value }
      later: []
    `);
    expect(left).toEqual([
      'model_list.0.litellm_params.model',
      'model_list.1.extra',
      'model_list.1.litellm_params.timeout',
      'model_list.1.litellm_params.surprise',
      'model_list.2',
      'model_list.3',
      'model_list.3',
      'litellm_settings.cache_params.type',
      'litellm_settings.success_callback',
      'litellm_settings.__proto__',
      'general_settings.master_key',
      'general_settings.new_thing',
      'environment_variables',
      'later',
    ]);
    expect(account.settings).toEqual({ cacheTtlSeconds: 10 });
  });

  test('has no secret, and neither have the files', () => {
    const { texts, account } = imported(`
      model_list:
        - { model_name: a, litellm_params: { model: openai/gpt-5.5, api_key: sk-SECRET-1 } }
        - { model_name: b, litellm_params: { model: openai/gpt-5.5, api_key: sk-SECRET-2 } }
        - { model_name: c, litellm_params: { model: openai/gpt-5.5, api_key: sk-SECRET-1 } }
        - { model_name: d, litellm_params: { model: openai/x, api_base: "https://u:SECRET@host.example/v1?key=SECRET" } }
        - { model_name: e, litellm_params: { model: bedrock/x, aws_secret_access_key: SECRET, aws_access_key_id: SECRET } }
        - { model_name: f, litellm_params: { model: vertex_ai/x, vertex_credentials: '{"private_key":"SECRET"}' } }
      credential_list: [{ credential_name: one, credential_values: { api_key: SECRET } }]
      general_settings: { master_key: SECRET, database_url: SECRET }
      environment_variables: { OPENAI_API_KEY: SECRET }
      litellm_settings: { surprise: SECRET }
    `);
    expect(texts).not.toContain('SECRET');
    expect(Object.keys(account.providerKeys)).toEqual(['OPENAI_API_KEY', 'OPENAI_API_KEY_2', 'OPENAI_API_KEY 2']);
  });

  test('includes names and numbers beyond the bounds of a route', () => {
    const group = (name: string) => `- { model_name: '${name}', ${openai.replace('}', ', weight: 1 }')} }\n`;
    const many = Array.from({ length: 101 }, (_, at) => group(`g${at}`)).join('');
    expect(imported(`model_list:\n${many}`).left).toEqual(['model_list.100']);
    const { account, left } = imported(`model_list:\n${group('my/model')}${group('my model')}`);
    expect(Object.keys(account.routes)).toEqual(['my-model', 'my-model-2']);
    expect(left).toEqual(['model_list.0', 'model_list.1']);
  });
});
