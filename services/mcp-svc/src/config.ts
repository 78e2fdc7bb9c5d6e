import {
  defineConfig,
  internalConfig,
  milliseconds,
  port,
  requestLimitsConfig,
  stateConfig,
  wholeNumber,
} from '@switchyard/service-kit';
import type { ConfigOf } from '@switchyard/service-kit';
import { z } from 'zod';

export const mcpConfig = defineConfig({
  NATS_URL: stateConfig.NATS_URL,
  REDIS_URL: stateConfig.REDIS_URL,
  ...requestLimitsConfig,
  ...internalConfig,
  MCP_HOST: {
    schema: z.string(),
    default: '127.0.0.1',
    description: 'Address mcp-svc listens on for edge. 0.0.0.0 in a container.',
  },
  MCP_PORT: {
    schema: port,
    default: '4002',
    description: 'Port of mcp-svc; edge finds it by MCP_URL. 0 lets the system choose.',
    contradiction: ({ MCP_PORT, PORT, ADMIN_PORT }) =>
      MCP_PORT !== 0 && (MCP_PORT === PORT || MCP_PORT === ADMIN_PORT)
        ? `is the same as ${MCP_PORT === PORT ? 'PORT' : 'ADMIN_PORT'}; they are two servers, so give it another one`
        : undefined,
  },
  MCP_MAX_BODY_BYTES: {
    schema: wholeNumber(1024, 1024 ** 3),
    default: '20971520',
    description: 'Largest MCP request, in bytes.',
  },
  MCP_MAX_INFLIGHT_BYTES: {
    schema: wholeNumber(1024),
    default: '134217728',
    description: 'Bytes of MCP requests one process holds at once; beyond it requests are answered with 503.',
  },
  MCP_MAX_CONCURRENT: {
    schema: wholeNumber(1, 1_000_000),
    default: '1000',
    description: 'MCP requests one process works on at once; further ones are answered with 503.',
  },
  MCP_MAX_ANSWER_BYTES: {
    schema: wholeNumber(1024, 1024 ** 3),
    default: '67108864',
    description: 'Largest answer a tool may get from another service, in bytes. Images are base64 in it.',
  },
  MCP_CALL_TIMEOUT_MS: {
    schema: milliseconds,
    default: '600000',
    description: 'Longest time one call of a tool may take, in milliseconds.',
  },
  MCP_IMAGE_MODEL: {
    schema: z.string(),
    default: 'qwen-image-plus',
    description: 'The model of the tool generate-image where a call names none.',
  },
  MCP_PREVIEW_MODEL: {
    schema: z.string(),
    default: 'gemini-3-pro-image-preview',
    description: 'The model of the tool generate-preview-image.',
  },
  UPLOAD_DIR: {
    schema: z.string().optional(),
    example: './images',
    description: 'Folder generate-preview-image saves its images in. Without it they are only shown.',
  },
});

export type McpConfig = ConfigOf<typeof mcpConfig>;
