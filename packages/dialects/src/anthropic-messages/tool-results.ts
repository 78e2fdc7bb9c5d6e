import type { ChatMessage, UserPart } from '@tallyport/wire';
import type { ToolResultBlock, ToolResultPart } from './block-schemas.ts';
import {
  cacheMarkOf,
  type HubTextPart,
  plainContent,
  toDocumentParts,
  toImagePart,
  toSearchResultPart,
  toTextPart,
  withLastMark,
} from './content-parts.ts';

/** A tool's result: its message, and what a message of a tool cannot hold. */
interface TranslatedResult {
  message: ChatMessage;
  /** Images and files, for the user message that follows. */
  attachments: UserPart[];
}

export function toToolResult({ tool_use_id: id, content, is_error, cache_control }: ToolResultBlock): TranslatedResult {
  const parts = typeof content === 'string' ? [textPart(content)] : (content ?? []).flatMap(partsOf);
  const texts = parts.filter((part) => part.type === 'text');
  const others = parts.filter((part) => part.type !== 'text');
  const said = [
    ...(is_error ? [textPart('The tool failed:')] : []),
    ...texts,
    ...(others.length > 0 ? [textPart('(The next message holds the images and files of this result.)')] : []),
  ];
  return {
    message: { role: 'tool', tool_call_id: id, content: plainContent(withLastMark(said, cacheMarkOf(cache_control))) },
    attachments: others.length === 0 ? [] : [textPart(`Images and files of the tool result ${id}:`), ...others],
  };
}

const textPart = (text: string): HubTextPart => ({ type: 'text', text });

function partsOf(part: ToolResultPart): UserPart[] {
  switch (part.type) {
    case 'text':
      return [toTextPart(part)];
    case 'image':
      return [toImagePart(part)];
    case 'document':
      return toDocumentParts(part);
    case 'search_result':
      return [toSearchResultPart(part)];
    case 'tool_reference':
      // A tool that was found by a search: all tools are offered from the start here.
      return [textPart(`The tool ${part.tool_name} is available.`)];
    default:
      return part satisfies never;
  }
}
