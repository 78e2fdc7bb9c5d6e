import {
  defineConfig,
  mcpBodyConfig,
  milliseconds,
  requestLimitsConfig,
  stateConfig,
  wholeNumber,
} from '@tallyport/service-kit';
import type { ConfigOf } from '@tallyport/service-kit';
import { z } from 'zod';
import { targetsConfig } from '@tallyport/outbound';

export const mcpConfig = defineConfig({
  NATS_URL: stateConfig.NATS_URL,
  REDIS_URL: stateConfig.REDIS_URL,
  ...requestLimitsConfig,
  ...mcpBodyConfig,
  MCP_MAX_INFLIGHT_BYTES: {
    schema: wholeNumber(1024),
    default: '134217728',
    description: 'Bytes of MCP requests that one process holds at once. Beyond it, requests are answered with 503.',
  },
  MCP_MAX_CONCURRENT: {
    schema: wholeNumber(1, 1_000_000),
    default: '1000',
    description: 'MCP requests that one process handles at once. Further ones are answered with 503.',
  },
  MCP_MAX_CONCURRENT_PER_ACCOUNT: {
    schema: wholeNumber(1, 1_000_000),
    default: '500',
    description: 'MCP requests that one process handles at once for one account. Further ones are answered with 429.',
  },
  MCP_CALL_TIMEOUT_MS: {
    schema: milliseconds,
    default: '600000',
    description: 'Longest time a tool call may take, in milliseconds.',
  },
  ...targetsConfig,
  MCP_SERVERS_MAX_ANSWER_BYTES: {
    schema: wholeNumber(1024, 1024 ** 3),
    default: '8388608',
    description: 'Bytes that an MCP server of an account may send in one call or list, in all its responses together.',
  },
  MCP_IMAGE_MODEL: {
    schema: z.string(),
    default: 'qwen-image-plus',
    description:
      'The model that generate-image uses if a call names none. If it cannot be called, the first model of list-image-models is used.',
  },
  MCP_PREVIEW_MODEL: {
    schema: z.string(),
    default: 'gemini-3-pro-image-preview',
    description: 'The model that generate-preview-image uses.',
  },
  UPLOAD_DIR: {
    schema: z.string().optional(),
    example: './images',
    description:
      'Folder in which generate-preview-image saves its images, in a subfolder per account if there are several. Without it, images are shown but not saved.',
  },
  UPLOAD_MAX_BYTES_PER_ACCOUNT: {
    schema: wholeNumber(0),
    default: '1073741824',
    description: 'Bytes of images that one account may keep in UPLOAD_DIR. Beyond it, images are shown but not saved.',
  },
});

export type McpConfig = ConfigOf<typeof mcpConfig>;
