import { z } from 'zod';
import { accountFailures, accountItemFailures } from './account-failures.ts';
import { onlyAnswer } from './only-answer.ts';
import { form } from './content-types.ts';
import type { EndpointDescription, Parameter } from './description.ts';
import { listPage } from './list-page.ts';

const tag = 'Files';
const id: Parameter = {
  name: 'id',
  in: 'path',
  description: 'The id of a file, which begins with `file-` or, for clients of Anthropic, with `file_`.',
  schema: z.string(),
};

const purpose = z.enum(['assistants', 'batch', 'evals', 'fine-tune', 'user_data', 'vision']);

const file = z.object({
  id: z.string(),
  object: z.literal('file'),
  bytes: z.int(),
  created_at: z.int().describe('Unix time in seconds.'),
  expires_at: z.int().optional().describe('Unix time in seconds.'),
  filename: z.string(),
  purpose: z.enum([...purpose.options, 'batch_output']),
  status: z.literal('processed'),
});

const metadata = z
  .object({
    id: z.string(),
    type: z.literal('file'),
    filename: z.string(),
    mime_type: z.string(),
    size_bytes: z.int(),
    created_at: z.string(),
    downloadable: z.literal(true),
    expires_at: z.string().nullable(),
  })
  .describe('For requests with `anthropic-version`.');

export const fileCreationDescription: EndpointDescription = {
  id: 'createFile',
  tag,
  summary: 'Stores a file while it is sent.',
  description: `The file belongs to the account and the project of the key. With \`anthropic-version\` all endpoints of files have the form
of Anthropic's API. A file has at most \`FILES_MAX_BYTES\`; images and PDFs must be of the type that they are declared as.`,
  body: {
    [form]: {
      schema: z.object({
        file: z.string().meta({ format: 'binary' }).describe('The file, with a file name.'),
        purpose: purpose.optional().describe("Required, except for clients of Anthropic's API, which have none."),
        'expires_after[anchor]': z.literal('created_at').optional(),
        'expires_after[seconds]': z.int().min(3_600).max(2_592_000).optional(),
        expires_in_seconds: z
          .int()
          .min(3_600)
          .max(7_776_000)
          .optional()
          .describe("The same for clients of Anthropic's API."),
      }),
    },
  },
  answers: onlyAnswer('The file.', z.union([file, metadata])),
  failures: [
    ...accountFailures,
    'deadline_exceeded',
    'invalid_parameters',
    'request_too_large',
    'storage_quota_exceeded',
    'unsupported_media_type',
    'unsupported_parameter',
  ],
};

export const fileListDescription: EndpointDescription = {
  id: 'listFiles',
  tag,
  summary: 'Lists the files of the account and the project of the key.',
  parameters: [
    { name: 'purpose', in: 'query', description: 'Only files with this purpose.', schema: purpose.optional() },
    {
      name: 'limit',
      in: 'query',
      description: 'Files of a page: 10,000 by default, and 20 for clients of Anthropic.',
      schema: z.int().min(1).max(10_000).optional(),
    },
    { name: 'order', in: 'query', description: 'By creation.', schema: z.enum(['asc', 'desc']).optional() },
    { name: 'after', in: 'query', description: 'The last id of the page before.', schema: z.string().optional() },
    {
      name: 'page',
      in: 'query',
      description: 'The `next_page` of the page before, for clients of Anthropic.',
      schema: z.string().optional(),
    },
    {
      name: 'ids',
      in: 'query',
      description: 'Only these files, for clients of Anthropic.',
      schema: z.array(z.string()).max(100).optional(),
    },
  ],
  answers: onlyAnswer(
    'One page of files.',
    z.union([listPage(file), z.object({ data: z.array(metadata), next_page: z.string().nullable() })]),
  ),
  failures: [...accountItemFailures, 'invalid_parameters'],
};

export const fileDescription: EndpointDescription = {
  id: 'getFile',
  tag,
  summary: 'Returns a file without its content.',
  parameters: [id],
  answers: onlyAnswer('The file.', z.union([file, metadata])),
  failures: accountItemFailures,
};

export const fileContentDescription: EndpointDescription = {
  id: 'getFileContent',
  tag,
  summary: 'Returns the content of a file.',
  parameters: [id],
  answers: {
    200: {
      description: 'The bytes of the file, with its type.',
      content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
    },
  },
  failures: accountItemFailures,
};

export const fileDeletionDescription: EndpointDescription = {
  id: 'deleteFile',
  tag,
  summary: 'Deletes a file with its content.',
  parameters: [id],
  answers: onlyAnswer(
    'It is deleted.',
    z.union([
      z.object({ id: z.string(), object: z.literal('file'), deleted: z.literal(true) }),
      z.object({ id: z.string(), type: z.literal('file_deleted') }),
    ]),
  ),
  failures: accountItemFailures,
};
