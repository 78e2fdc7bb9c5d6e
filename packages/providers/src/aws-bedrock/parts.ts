import { GatewayError } from '@tallyport/contracts';
import type { BedrockBlock, BedrockCachePoint, BedrockImageFormat } from '@tallyport/wire';
import type { LocatedPart } from '../conversation/conversation.ts';
import { inlineDataIn } from '../conversation/data-url.ts';
import { isMembers, type Members, text } from '../read.ts';
import { documentFormat, type DocumentNames } from './documents.ts';
import type { BedrockRules } from './models.ts';

const imageFormats: Readonly<Record<string, BedrockImageFormat>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

interface PartRules {
  rules: BedrockRules;
  documentName: DocumentNames;
}

/** Converts a part of a user message to a block, followed by the cache point the part asks for. */
export function blocksOfPart(located: LocatedPart, { rules, documentName }: PartRules): BedrockBlock[] {
  return [blockOf(located, documentName), ...cachePointAfter(located.part, rules)];
}

function blockOf({ part, path }: LocatedPart, documentName: DocumentNames): BedrockBlock {
  switch (part.type) {
    case 'text':
      return { text: part.text };
    case 'image_url':
      return attached(part.image_url.url, { path: `${path}.image_url`, name: undefined, documentName });
    case 'file':
      if (!part.file.file_data) throw refused(path, 'files must be sent as `file_data` with a data URL');
      return attached(part.file.file_data, { path, name: part.file.filename ?? undefined, documentName });
    case 'input_audio':
      throw refused(path, 'this provider does not accept audio');
    default:
      return part satisfies never;
  }
}

interface Attachment {
  path: string;
  name: string | undefined;
  documentName: DocumentNames;
}

function attached(url: string, { path, name, documentName }: Attachment): BedrockBlock {
  const inline = inlineDataIn(url);
  if (inline === undefined) throw refused(path, 'must be a base64 data URL');
  const source = { bytes: inline.data };
  const image = imageFormats[inline.mediaType];
  if (image !== undefined) return { image: { format: image, source } };
  const format = documentFormat(inline.mediaType, name);
  if (format === undefined) throw refused(path, `this provider does not accept ${inline.mediaType}`);
  return { document: { format, name: documentName(name), source } };
}

const refused = (path: string, why: string): GatewayError =>
  new GatewayError('unsupported_capability', `${path}: ${why}.`, { param: path });

/** Clients mark the cache in two ways. Models without cache points ignore both. */
export function cachePointAfter(sent: Members, { cachePoints }: BedrockRules): BedrockCachePoint[] {
  const breakpoint = sent.prompt_cache_breakpoint ?? sent.cache_control;
  if (!cachePoints || !isMembers(breakpoint)) return [];
  const ttl = text(breakpoint.ttl);
  return [{ cachePoint: { type: 'default', ...(ttl !== undefined && { ttl }) } }];
}
