import { failureResponses, referredHeaders } from './components.ts';
import type { Answer, AnswerContent, Body, DescribedOperation, Parameter } from './operation.ts';
import type { SchemaBook } from './schema-book.ts';

const security = {
  open: [],
  optional: [{}, { bearer: [] }, { apiKey: [] }],
  key: [{ bearer: [] }, { apiKey: [] }],
  management: [{ bearer: [] }, { session: [] }],
  oauth: [{ client: [] }, {}],
} as const satisfies Record<DescribedOperation['access'], readonly object[]>;

/** One operation of a path, as OpenAPI writes it. */
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
  const required = place === 'path' || (!schema.safeParse(undefined).success && requiredInQuery.has(name));
  return {
    name,
    in: place,
    ...(description && { description }),
    ...(required && { required }),
    schema: book.asked(schema),
    ...(example !== undefined && { example }),
  };
}

/** Of OAuth; everything else in a query can be left out. */
const requiredInQuery: ReadonlySet<string> = new Set(['client_id', 'response_type', 'redirect_uri', 'code_challenge']);

const bodyOf = ({ schema, examples }: Body, book: SchemaBook): object => ({
  schema: book.asked(schema),
  ...(examples && { examples }),
});

const answerOf = ({ description, content, headers = [] }: Answer, book: SchemaBook): object => ({
  description,
  headers: referredHeaders(['X-Request-Id', ...headers]),
  ...(content && { content: mapped(content, (each) => contentOf(each, book)) }),
});

/** Of a stream OpenAPI knows only that it is text; JSON Schema can say what the text holds. */
function contentOf({ schema, events }: AnswerContent, book: SchemaBook): object {
  const held = book.answered(schema);
  if (!events) return { schema: held };
  const description = 'Server-sent events; each `data:` holds this.';
  return { schema: { type: 'string', description, contentMediaType: 'application/json', contentSchema: held } };
}

const mapped = <Value>(record: Readonly<Record<string, Value>>, change: (value: Value) => object) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
