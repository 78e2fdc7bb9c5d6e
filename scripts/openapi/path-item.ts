import type { DescribedAnswer, DescribedContent, DescribedBody, Parameter } from '@tallyport/endpoints';
import { failureResponses, referredHeaders } from './components.ts';
import type { DescribedOperation } from './operation.ts';
import type { SchemaBook } from './schema-book.ts';

const security = {
  open: [],
  optional: [{}, { bearer: [] }, { apiKey: [] }],
  key: [{ bearer: [] }, { apiKey: [] }],
  management: [{ bearer: [] }, { session: [] }],
  oauth: [{ client: [] }, {}],
} as const satisfies Record<DescribedOperation['access'], readonly object[]>;

/** One operation of a path in OpenAPI's form. */
export function pathItem(operation: DescribedOperation, book: SchemaBook): Record<string, object> {
  const { id, method, tag, summary, description, access, parameters = [], body, answers, failures } = operation;
  const described = {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    security: security[access],
    ...(parameters.length > 0 && { parameters: parameters.map((parameter) => parameterOf(parameter, book)) }),
    ...(body && { requestBody: { required: true, content: mapped(body, (each) => bodyOf(each, book)) } }),
    responses: { ...mapped(answers, (answer) => answerOf(answer, book)), ...failureResponses(failures) },
  };
  return { [method.toLowerCase()]: described };
}

function parameterOf({ name, in: place, description, schema, example }: Parameter, book: SchemaBook): object {
  const required = place === 'path' || !schema.safeParse(undefined).success;
  return {
    name,
    in: place,
    ...(description && { description }),
    ...(required && { required }),
    schema: book.input(schema),
    ...(example !== undefined && { example }),
  };
}

const bodyOf = ({ schema, examples }: DescribedBody, book: SchemaBook): object => ({
  schema: book.input(schema),
  ...(examples && { examples }),
});

const answerOf = ({ description, content, headers = [] }: DescribedAnswer, book: SchemaBook): object => ({
  description,
  headers: referredHeaders(['X-Request-Id', ...headers]),
  ...(content && { content: mapped(content, (each) => contentOf(each, book)) }),
});

/** OpenAPI can only describe a stream as text; JSON Schema's `contentSchema` describes the events in it. */
function contentOf({ schema, events }: DescribedContent, book: SchemaBook): object {
  const content = book.output(schema);
  if (!events) return { schema: content };
  const description = 'Server-sent events; each `data:` line holds a value of this schema.';
  return { schema: { type: 'string', description, contentMediaType: 'application/json', contentSchema: content } };
}

const mapped = <Value>(record: Readonly<Record<string, Value>>, change: (value: Value) => object) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
