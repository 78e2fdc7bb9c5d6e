import type { JsonSchema } from './schema-book.ts';

/** What members of requests mean where their names do not say it. */
const meanings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ChatCompletionRequest: {
    model: 'A model of GET /v1/models, `<provider>/<model>`, or `auto`.',
    image_config: 'Settings of generated images; each family of models has its own members.',
    reasoning: 'How much to think, where `reasoning_effort` is not fine enough.',
    stream: 'Answer as server-sent events.',
    n: 'More than a provider makes in one call are several calls.',
    service_tier: 'Handed on to providers that know it.',
  },
  ImageGenerationRequest: {
    model: 'A model that makes images; `auto` is a good one.',
    n: 'How many images.',
    size: '`auto` or WIDTHxHEIGHT; the nearest the model has is taken.',
    quality: "One of the model's qualities, where it has any.",
    output_compression: 'In percent, for jpeg and webp.',
  },
  ImageEditRequest: {
    images: 'Each an https URL or a base64 data URL.',
    input_fidelity: 'How closely to keep to the images, where the model knows it.',
  },
  NewKey: {
    expiresAt: 'ISO 8601 with a time zone.',
    allowedModels: 'Models it may ask for; without the list, all.',
    allowedProviders: 'Providers that may serve it; without the list, all.',
    allowedAddresses: 'Where its requests may come from; without the list, anywhere.',
    cacheTtlSeconds: 'How long answers may be served again. 0 is never.',
    admin: 'May use the management API.',
  },
};

/** Throws when a member it speaks of is gone. */
export function describeMembers(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const described = structuredClone(schemas) as Record<string, { properties?: Record<string, object> }>;
  for (const [name, members] of Object.entries(meanings)) {
    for (const [member, description] of Object.entries(members)) {
      const schema = described[name]?.properties?.[member];
      if (schema === undefined) throw new Error(`${name} has no member ${member} any more.`);
      Object.assign(schema, { description });
    }
  }
  const config = described.ChatCompletionRequest?.properties?.image_config;
  if (config)
    Object.assign(config, { anyOf: [{ $ref: '#/components/schemas/ImageConfig' }, { type: 'null' }], type: undefined });
  return JSON.parse(JSON.stringify(described));
}
