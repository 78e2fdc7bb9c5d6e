import type { JsonSchema } from './schema-book.ts';

/** Descriptions of request members whose name alone does not explain them. */
const meanings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ChatCompletionRequest: {
    model: 'A model listed by GET /v1/models, `<provider>/<model>`, or `auto`.',
    image_config: 'Settings of generated images. The members depend on the model.',
    reasoning: 'How much the model reasons, in finer steps than `reasoning_effort`.',
    stream: 'Stream the answer as server-sent events.',
    n: 'If the provider makes fewer per call, the gateway makes several calls.',
    service_tier: 'Passed on to providers that support it.',
  },
  NewKey: {
    expiresAt: 'ISO 8601 with a time zone.',
    allowedModels: 'Models the key may use. Default: all.',
    allowedProviders: 'Providers the key may use. Default: all.',
    allowedTiers: 'Service tiers besides the standard one that requests may ask for, such as `priority`. Default: all.',
    allowedMcpTools: 'Registered MCP servers and single tools of theirs the key may use. Default: all.',
    allowedAddresses: 'Addresses the key may be used from. Default: any.',
    cacheTtlSeconds: 'How long answers are cached. 0 turns the cache off.',
    promptCaching:
      '`auto` marks prompts for the caches of vendors that cache only what is marked. Default: as the account.',
    guardrails: 'What requests and answers must not contain, besides what the account forbids.',
    admin: 'Whether the key may use the management API.',
    key: 'The text of the key, if it is already known, from `npm run secrets -- generate-key`. Default: a new one.',
  },
};

/** Throws if a described member does not exist. */
export function describeMembers(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const described = structuredClone(schemas) as Record<string, { properties?: Record<string, object> }>;
  for (const [name, members] of Object.entries(meanings)) {
    for (const [member, description] of Object.entries(members)) {
      const schema = described[name]?.properties?.[member];
      if (schema === undefined) throw new Error(`${name} has no member ${member}.`);
      Object.assign(schema, { description });
    }
  }
  const config = described.ChatCompletionRequest?.properties?.image_config;
  if (config)
    Object.assign(config, { anyOf: [{ $ref: '#/components/schemas/ImageConfig' }, { type: 'null' }], type: undefined });
  return JSON.parse(JSON.stringify(described));
}
