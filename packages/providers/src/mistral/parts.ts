import type { ChatMessage, UserPart } from '@tallyport/wire';

/** Converts documents and audio to this vendor's parts, which contain only a URL or a data URL. */
export function withOwnParts(message: ChatMessage): ChatMessage {
  if (message.role !== 'user' || !Array.isArray(message.content) || !message.content.some(isForeign)) return message;
  const content: unknown[] = message.content.map(ownPart);
  return Object.assign({}, message, { content });
}

const isForeign = ({ type }: UserPart): boolean => type === 'file' || type === 'input_audio';

function ownPart(part: UserPart): object {
  if (part.type === 'input_audio') return { type: 'input_audio', input_audio: part.input_audio.data };
  if (part.type !== 'file') return part;
  const { file_data: address, file_id, filename } = part.file;
  if (address == null) return { type: 'file', file_id };
  return { type: 'document_url', document_url: address, ...(filename != null && { document_name: filename }) };
}
