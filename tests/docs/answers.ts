import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';

export interface Described {
  method: string;
  path: string;
  operation: DescribedOperation;
}

interface DescribedOperation {
  operationId: string;
  security: readonly Record<string, unknown>[];
  requestBody?: { content: Record<string, { examples?: Record<string, { value: unknown }> }> };
  parameters?: readonly { in: string; name: string; required?: boolean; example?: string }[];
  responses: Record<string, DescribedAnswer>;
}

interface DescribedAnswer {
  $ref?: string;
  content?: Record<string, { schema: Record<string, unknown> }>;
}

export interface Document {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: Record<string, Record<string, unknown>>;
}

export const operationsOf = ({ paths }: Document): Described[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** Returns how an answer differs from the document; empty if it does not. Members that are not described count, too. */
export function answerValidator(document: Document): (described: Described, response: Response) => Promise<string[]> {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: 'api', ...(closed(document) as object) });
  const validate = (schema: unknown, value: unknown): string[] => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/');
    const check = ajv.compile(closed(JSON.parse(text)) as object);
    if (check(value)) return [];
    return (check.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };

  return async ({ operation }, response) => {
    const text = await response.text();
    const answer = operation.responses[response.status];
    if (answer === undefined || answer.$ref) return [`${response.status} ${text.slice(0, 300)}`];
    if (answer.content === undefined) return [];
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    const content = answer.content[type] ?? Object.entries(answer.content).find(([name]) => name.startsWith(type))?.[1];
    if (content === undefined) return [`${type} is not described`];
    if (type === 'application/json') return validate(content.schema, JSON.parse(text));
    if (type !== 'text/event-stream') return validate(content.schema, text);
    return eventsIn(text).flatMap((event) => validate(content.schema['contentSchema'], event));
  };
}

const eventsIn = (text: string): unknown[] =>
  [...text.matchAll(/^data: (.*)$/gm)]
    .map(([, data = '']) => data)
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data));

/** Closes all objects of a schema, so that members that are not described fail the validation. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([name, value]) => [name, closed(value)]);
  const isOpen = 'properties' in schema && !('additionalProperties' in schema) && 'type' in schema;
  return { ...Object.fromEntries(entries), ...(isOpen && schema.type === 'object' && { additionalProperties: false }) };
}
