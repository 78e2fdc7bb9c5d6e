import { readGatewayDocument } from '@tallyport/gateway-document';
import { checkRoute } from '@tallyport/routes';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseOperatorFile } from '../../services/catalog-svc/src/operator-file/read-operator-file.ts';
import { readKnownModels } from './known-models.ts';
import { importLitellm } from './litellm/litellm.ts';
import { addKeys } from './litellm/keys/import-keys.ts';
import { importPortkey } from './portkey/portkey.ts';
import { filesOf } from './write-draft.ts';
import type { Draft } from './draft.ts';

const known = await readKnownModels();

/** Throws if the gateway would refuse a file. */
function expectAccepted(draft: Draft): void {
  const files = filesOf(draft, 'a file');
  parseOperatorFile('tallyport.yaml', files.get('tallyport.yaml') ?? '');
  const text = files.get('gateway.yaml');
  if (text === undefined) return;
  const { document } = readGatewayDocument('gateway.yaml', text);
  const routes = Object.values(document.accounts['default']?.routes ?? {});
  expect(routes.flatMap(checkRoute)).toEqual([]);
}

/** A file with a zero character is refused before it is read. */
const name = fc
  .oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.string({ minLength: 150, maxLength: 300 }),
    fc.constantFrom('a', 'b', 'gpt-5.5'),
  )
  .map((text) => text.replaceAll('\0', ''));
const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(1e-30, 1e-7, 123_456_789.5, 5e-20, 1e9));
const model = fc.oneof(
  name,
  name.map((each) => `openai/${each}`),
  name.map((each) => `hosted_vllm/${each}`),
  fc.constantFrom('openai/gpt-5.5', 'azure/x'),
);

const deployment = fc.record({
  model_name: name,
  litellm_params: fc.record(
    {
      model,
      api_key: fc.oneof(name, fc.constantFrom(`os.environ/${'A'.repeat(150)}`)),
      api_base: fc.oneof(name, fc.webUrl()),
      weight: number,
      rpm: number,
      order: number,
      input_cost_per_token: number,
    },
    { requiredKeys: ['model'] },
  ),
  model_info: fc.record({
    max_input_tokens: number,
    output_cost_per_token: number,
    mode: fc.constantFrom('chat', 'embedding'),
  }),
});

const fallbacks = fc.array(fc.dictionary(name, fc.array(name)));

test('the gateway accepts what an import of LiteLLM writes', () => {
  const config = fc.record({
    model_list: fc.array(deployment, { maxLength: 12 }),
    router_settings: fc.record({
      fallbacks,
      context_window_fallbacks: fallbacks,
      content_policy_fallbacks: fallbacks,
      model_group_alias: fc.dictionary(name, name),
    }),
    litellm_settings: fc.record({
      cache: fc.boolean(),
      cache_params: fc.record({ ttl: number }),
      default_fallbacks: fc.array(name),
    }),
  });
  const rows = fc.array(
    fc.record({
      token: name,
      key_alias: name,
      models: fc.array(name),
      max_budget: number,
      budget_duration: name,
      rpm_limit: number,
      tpm_limit: number,
    }),
  );
  fc.assert(
    fc.property(config, rows, (value, keys) => {
      const draft = importLitellm(value, { known, environment: {} });
      addKeys({ keys, teams: [], budgets: [] }, draft, 0);
      expectAccepted(draft);
    }),
    { numRuns: 60, endOnFailure: true },
  );
});

test('the gateway accepts what an import of Portkey writes', () => {
  const leaf = fc.record({
    provider: fc.constantFrom('openai', 'azure-openai'),
    virtual_key: name,
    weight: number,
    name,
    override_params: fc.record({ model }),
  });
  const query = fc.dictionary(
    fc.oneof(fc.constantFrom('metadata.a', 'params.user', 'params.model', '$or'), name),
    fc.oneof(
      name,
      fc.dictionary(fc.constantFrom('$eq', '$ne', '$in', '$regex', '$gt'), fc.oneof(name, number, fc.array(name))),
    ),
  );
  const strategy = fc.record({
    mode: fc.constantFrom('single', 'loadbalance', 'fallback', 'conditional'),
    conditions: fc.array(fc.record({ query, then: name })),
    default: name,
  });
  const part = fc.record({
    strategy,
    targets: fc.array(fc.oneof(leaf, fc.record({ strategy, targets: fc.array(leaf), name, weight: number }))),
  });
  fc.assert(
    fc.property(part, name, (value, route) => expectAccepted(importPortkey(value, { known, name: route }))),
    { numRuns: 100, endOnFailure: true },
  );
});
