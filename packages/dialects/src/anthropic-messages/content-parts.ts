import type { UserPart } from '@tallyport/wire';
import type {
  BlockCacheControl,
  DocumentBlock,
  ImageSourceBlock,
  SearchResultBlock,
  TextBlock,
} from './block-schemas.ts';

export type HubTextPart = Extract<UserPart, { type: 'text' }>;
type ImagePart = Extract<UserPart, { type: 'image_url' }>;

interface CacheMark {
  cache_control?: { type: 'ephemeral'; ttl?: '5m' | '1h' };
}

/** Where the prompt cache may end. Only what every model with such a cache knows: agents add members of their own. */
export const cacheMarkOf = (control: BlockCacheControl): CacheMark =>
  control ? { cache_control: { type: 'ephemeral', ...(control.ttl && { ttl: control.ttl }) } } : {};

export const toTextPart = ({ text, cache_control }: Pick<TextBlock, 'text' | 'cache_control'>): HubTextPart => ({
  type: 'text',
  text,
  ...cacheMarkOf(cache_control),
});

export function toImagePart({ source, cache_control }: ImageSourceBlock): ImagePart {
  const url = source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`;
  return { type: 'image_url', image_url: { url }, ...cacheMarkOf(cache_control) };
}

/** A PDF stays a file; the other kinds are text and images, after a line that says what they belong to. */
export function toDocumentParts({ source, title, context, cache_control }: DocumentBlock): UserPart[] {
  const mark = cacheMarkOf(cache_control);
  const filename = title ?? 'document.pdf';
  switch (source.type) {
    case 'base64':
      return [...headOf({ context }), filePart(`data:application/pdf;base64,${source.data}`, filename, mark)];
    case 'url':
      return [...headOf({ context }), filePart(source.url, filename, mark)];
    case 'text':
      return [...headOf({ title, context }), { type: 'text', text: source.data, ...mark }];
    case 'content':
      return withLastMark([...headOf({ title, context }), ...contentParts(source.content)], mark);
    default:
      return source satisfies never;
  }
}

const filePart = (data: string, filename: string, mark: CacheMark): UserPart => ({
  type: 'file',
  file: { file_data: data, filename },
  ...mark,
});

function headOf({ title, context }: { title?: string | null | undefined; context?: string | null | undefined }) {
  const lines = [title && `Document: ${title}`, context && `Context: ${context}`].filter(Boolean);
  return lines.length === 0 ? [] : [{ type: 'text' as const, text: lines.join('\n') }];
}

const contentParts = (content: string | readonly (TextBlock | ImageSourceBlock)[]): UserPart[] =>
  typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : content.map((block) => (block.type === 'text' ? toTextPart(block) : toImagePart(block)));

/** The mark of a block that became several parts is the last one's. */
export const withLastMark = <Part extends UserPart>(parts: readonly Part[], mark: CacheMark): Part[] =>
  parts.map((part, index) => (index === parts.length - 1 ? { ...part, ...mark } : part));

export function toSearchResultPart({ source, title, content, cache_control }: SearchResultBlock): HubTextPart {
  const text = [`Search result: ${title}`, `Source: ${source}`, ...content.map((block) => block.text)].join('\n');
  return { type: 'text', text, ...cacheMarkOf(cache_control) };
}

/** One text without a mark is a plain string, which every vendor takes. */
export function plainContent<Part extends UserPart>(parts: Part[]): string | Part[] {
  const [only] = parts;
  if (only === undefined) return '';
  return parts.length === 1 && only.type === 'text' && only.cache_control === undefined ? only.text : parts;
}
