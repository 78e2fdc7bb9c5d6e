import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const valueSchema = z
  .object({
    stringValue: z.string(),
    intValue: z.coerce.number(),
    boolValue: z.boolean(),
    doubleValue: z.number(),
    arrayValue: z.object({ values: z.array(z.object({ stringValue: z.string() })) }),
  })
  .partial()
  .transform(
    ({ arrayValue, ...value }) =>
      arrayValue?.values.map(({ stringValue }) => stringValue) ??
      value.stringValue ??
      value.intValue ??
      value.boolValue ??
      value.doubleValue,
  );

const attributesSchema = z
  .array(z.object({ key: z.string(), value: valueSchema }))
  .transform((pairs) => Object.fromEntries(pairs.map(({ key, value }) => [key, value])));

const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().default(''),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.coerce.bigint(),
  endTimeUnixNano: z.coerce.bigint(),
  attributes: attributesSchema.default({}),
  status: z.object({ code: z.number().default(0) }).default({ code: 0 }),
});

const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

type CollectedSpan = z.infer<typeof spanSchema> & { service: string };

export interface Collector {
  url: string;
  spans(traceId: string): CollectedSpan[];
  /** All received bodies. */
  sent(): string;
  headers(): readonly (string | undefined)[];
  close(): Promise<void>;
}

/** A collector that accepts OTLP over HTTP with JSON. */
export async function startCollector(): Promise<Collector> {
  const collected: CollectedSpan[] = [];
  const bodies: string[] = [];
  const tokens = new Set<string | undefined>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    bodies.push(body);
    tokens.add(request.headers.authorization);
    if (request.url === '/v1/traces') collected.push(...read(body));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    spans: (traceId) => collected.filter((span) => span.traceId === traceId),
    sent: () => bodies.join('\n'),
    headers: () => [...tokens],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function read(body: string): CollectedSpan[] {
  return exportSchema
    .parse(JSON.parse(body))
    .resourceSpans.flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) =>
        spans.map((span) => ({ ...span, service: String(resource.attributes['service.name']) })),
      ),
    );
}

/** The spans as an indented tree. A span whose parent was not collected is a root. */
export function treeOf(spans: readonly CollectedSpan[]): string[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const below = (parentId: string | undefined, depth: number): string[] =>
    spans
      .filter(({ parentSpanId }) => (parentId === undefined ? !ids.has(parentSpanId) : parentSpanId === parentId))
      .toSorted((one, other) => Number(one.startTimeUnixNano - other.startTimeUnixNano))
      .flatMap(({ service, name, spanId }) => [
        `${'  '.repeat(depth)}${service}: ${name}`,
        ...below(spanId, depth + 1),
      ]);
  return below(undefined, 0);
}
