import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { GatewayError } from '@tallyport/contracts';
import type { ToolResult } from '../tool.ts';
import { isShallow } from './bounded-value.ts';
import type { FailureSource } from './failure.ts';
import type { RedactSecrets } from './redact.ts';
import { redactTexts } from './redact-texts.ts';

const resultBounds = { depth: 64, blocks: 1_000 } as const;

/** The result of a registered server's tool within our bounds. Its size is bounded where it is received. */
export function readResult(result: CallToolResult, { name, redact }: FailureSource): ToolResult {
  const { content, structuredContent, isError } = result;
  if (content.length > resultBounds.blocks || !isShallow({ content, structuredContent }, resultBounds.depth)) {
    throw new GatewayError('upstream_error', `The MCP server ${name} sent a result that is too complex.`);
  }
  return {
    content: content.map((block) => redactBlock(block, redact)),
    ...(isObject(structuredContent) && { structuredContent: redactTexts(structuredContent, redact) }),
    ...(isError === true && { isError }),
  };
}

/** Bytes in base64 stay as they are. The schema of the protocol checked that they are base64. */
function redactBlock(block: ContentBlock, redact: RedactSecrets): ContentBlock {
  if (block.type === 'image' || block.type === 'audio') {
    const { data, ...rest } = block;
    return { ...redactTexts(rest, redact), data };
  }
  if (block.type === 'resource' && !('text' in block.resource)) {
    const { resource, ...rest } = block;
    const { blob, ...described } = resource;
    return { ...redactTexts(rest, redact), resource: { ...redactTexts(described, redact), blob } };
  }
  return redactTexts(block, redact);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
