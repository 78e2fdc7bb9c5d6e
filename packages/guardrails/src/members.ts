/**
 * Members that are no texts of people: names, ids, formats, and files as base64 or by URL, unless a text is in
 * them. Everything else is inspected, so that a member of next month is. docs/guardrails.md lists them.
 */
export const uninspectedMembers: ReadonlySet<string> = new Set([
  'b64_json',
  'call_id',
  'data',
  'detail',
  'encrypted_content',
  'file_data',
  'file_id',
  'fileUri',
  'file_url',
  'finish_reason',
  'format',
  'id',
  'image_url',
  'item_id',
  'media_type',
  'mimeType',
  'mime_type',
  'model',
  'name',
  'object',
  'previous_interaction_id',
  'previous_response_id',
  'provider',
  'role',
  'signature',
  'size',
  'status',
  'thoughtSignature',
  'thought_signature',
  'tool_call_id',
  'tool_use_id',
  'type',
  'uri',
  'url',
]);

/** What tools get and return, values in schemas, and what decisions are about. Clients name its members, so all of them are inspected. */
export const freeMembers: ReadonlySet<string> = new Set([
  'args',
  'arguments',
  'const',
  'default',
  'enum',
  'example',
  'examples',
  'response',
  'state',
]);

/** The same, unless they are lists of messages or contents. */
export const freeObjects: ReadonlySet<string> = new Set(['input', 'result']);

/** Schemas, in which everything but the types is named by clients. */
export const schemaMembers: ReadonlySet<string> = new Set([
  'input_schema',
  'output_schema',
  'parameters',
  'parametersJsonSchema',
  'parameters_json_schema',
  'responseJsonSchema',
  'responseSchema',
  'response_json_schema',
  'response_schema',
  'schema',
]);

/** Their members are named by clients, and have values of the API: texts, parts of a message, or schemas. */
export const mapMembers: ReadonlySet<string> = new Set([
  '$defs',
  'criteria',
  'definitions',
  'dependentSchemas',
  'env',
  'labels',
  'metadata',
  'patternProperties',
  'properties',
  'variables',
]);

type Members = Readonly<Record<string, unknown>>;

/** Whose `name` is not that of a tool. */
const speakers: ReadonlySet<unknown> = new Set(['assistant', 'developer', 'system', 'user']);

/** Whether a member that is no text elsewhere is one here. */
export function isTextHere(parent: Members, name: string): boolean {
  if (name === 'name') return speakers.has(parent['role']);
  // Documents of Anthropic's API may be plain text.
  if (name === 'data') return parent['type'] === 'text';
  // Of audio. Another one may be that of a schema.
  return name === 'format' && !('data' in parent || 'voice' in parent);
}
