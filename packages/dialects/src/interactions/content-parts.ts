import type { UserPart } from '@tallyport/wire';
import { inlinePart, linkedPart } from '../media-parts.ts';
import type { StepContent } from './step-schema.ts';

/** A content of the user or of a function's result. */
export function contentPart(content: StepContent, path: string): UserPart {
  if (content.type === 'text') return { type: 'text', text: content.text };
  const { data, uri, mime_type: mimeType } = content;
  const type = `${path}.mime_type`;
  if (data != null && mimeType != null) return inlinePart({ mimeType, data }, type);
  return linkedPart({ uri: uri ?? '', mimeType: mimeType ?? typeOf(content) }, { uri: `${path}.uri`, type });
}

/** Of a linked medium without a type. */
const usualTypes = { audio: 'audio', document: 'application/pdf', image: 'image/*' } as const;

const typeOf = ({ type }: Exclude<StepContent, { type: 'text' }>): string => usualTypes[type];
