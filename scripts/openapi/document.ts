import { apiKeySchema, budgetSchema, limitsSchema } from '@tallyport/contracts';
import { imageEditRequest, imageGenerationRequest } from '@tallyport/endpoints';
import {
  chunkSchema,
  completionSchema,
  imageEditForm,
  imagesSchema,
  metadataSchema,
  modelRecordSchema,
  providersSchema,
  routePlanSchema,
  usageSchema,
} from '@tallyport/endpoints/document';
import { accountSchema, keyOperations } from '@tallyport/management';
import { chatRequestSchema } from '@tallyport/wire';
import manifest from '../../package.json' with { type: 'json' };
import { errorSchema, healthSchema } from './answers/general.ts';
import { errorsTable, headers, responses, securitySchemes } from './components.ts';
import { describeMembers } from './describe-members.ts';
import { imageConfigSchemas } from './image-config.ts';
import { endpointOperations } from './operations/endpoints.ts';
import { gatewayOperations } from './operations/gateway.ts';
import { describedManagement } from './operations/management.ts';
import { mcpOperations } from './operations/mcp.ts';
import { oauthOperations } from './operations/oauth.ts';
import type { DescribedOperation } from './operation.ts';
import { pathItem } from './path-item.ts';
import { schemaBook } from './schema-book.ts';

/** Schemas that the document defines once under a name. */
const named = {
  Account: accountSchema,
  ApiKey: apiKeySchema,
  Budget: budgetSchema,
  ChatCompletion: completionSchema,
  ChatCompletionChunk: chunkSchema,
  ChatCompletionRequest: chatRequestSchema,
  Error: errorSchema,
  Health: healthSchema,
  ImageEditForm: imageEditForm,
  ImageEditRequest: imageEditRequest,
  ImageGenerationRequest: imageGenerationRequest,
  Images: imagesSchema,
  Limits: limitsSchema,
  Metadata: metadataSchema,
  Model: modelRecordSchema,
  NewKey: keyOperations.createKey.input,
  Providers: providersSchema,
  Route: routePlanSchema,
  Usage: usageSchema,
};

export const describedOperations = (): DescribedOperation[] => [
  ...endpointOperations(),
  ...gatewayOperations,
  ...mcpOperations,
  ...oauthOperations,
  ...describedManagement(),
];

/** The whole public API as an OpenAPI 3.1 document, made from the schemas that validate requests. */
export async function openApiDocument() {
  const book = schemaBook(named);
  book.output(errorSchema);
  const operations = describedOperations();
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) Object.assign((paths[operation.path] ??= {}), pathItem(operation, book));
  const schemas = { ...describeMembers(book.schemas()), ...(await imageConfigSchemas()) };
  return {
    openapi: '3.1.1',
    info: { title: 'Tallyport', version: manifest.version, summary: manifest.description, description: description() },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: { schemas, responses: responses(), headers, securitySchemes },
  };
}

const description =
  (): string => `One API in front of every model provider. An OpenAI client needs this address with \`/v1\` as its base URL and a key of the
gateway. Every example here works on a fresh installation: the \`sandbox-*\` models are simulated and cost nothing.

Every answer has an \`x-request-id\`. Answers under \`/v1\` and \`/mcp\` that count against a limit carry
\`RateLimit\` and \`RateLimit-Policy\`, the older \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`, and the
\`x-ratelimit-*\` headers of OpenAI; those of \`/v1/messages\` also \`anthropic-ratelimit-*\`. Members and
enum values may be added to answers at any time; none is removed within \`/v1\`.

Errors are \`{"error":{"message","type","param","code"}}\`, with a message that says what to do. If a provider rejects a request
as invalid (400, 413, 422), the answer has the provider's status and message.

${errorsTable()}`;
