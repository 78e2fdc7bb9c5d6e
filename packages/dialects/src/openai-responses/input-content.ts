import type { UserPart } from '@tallyport/wire';
import type { ResponsesInputPart } from './item-schema.ts';
import { refuseMember, refuseUnsupportedMember } from '../refuse-member.ts';

/** A content part of a user in the chat's form. Throws what only its vendor could resolve, naming the member. */
export function userPart(part: ResponsesInputPart, path: string): UserPart {
  switch (part.type) {
    case 'input_text':
      return { type: 'text', text: part.text, ...cacheMark(part) };
    case 'input_image':
      return imagePart(part, path);
    case 'input_file':
      return filePart(part, path);
    case 'input_audio':
      return { type: 'input_audio', input_audio: part.input_audio };
    default:
      return part satisfies never;
  }
}

type PartOf<Type extends ResponsesInputPart['type']> = Extract<ResponsesInputPart, { type: Type }>;

function imagePart(part: PartOf<'input_image'>, path: string): UserPart {
  const { image_url: url, file_id: fileId, detail } = part;
  if (fileId != null)
    refuseUnsupportedMember(`${path}.file_id`, 'no stored file has this id; store it at /v1/files, or use image_url');
  if (url == null || url === '') refuseMember(`${path}.image_url`, 'must be an https address or a data URL');
  return { type: 'image_url', image_url: { url, ...(detail != null && { detail }) }, ...cacheMark(part) };
}

/** `detail` of a file is ignored: a chat has none, and it only saves tokens. */
function filePart(part: PartOf<'input_file'>, path: string): UserPart {
  const { file_data: data, file_id: id, file_url: url, filename } = part;
  if (id != null)
    refuseUnsupportedMember(`${path}.file_id`, 'no stored file has this id; store it at /v1/files, or use file_data');
  if (url != null) refuseUnsupportedMember(`${path}.file_url`, 'files are not fetched; use file_data');
  if (data == null) refuseMember(`${path}.file_data`, 'must be a base64 data URL');
  return { type: 'file', file: { file_data: data, ...(filename != null && { filename }) }, ...cacheMark(part) };
}

const cacheMark = ({ prompt_cache_breakpoint: mark }: ResponsesInputPart) =>
  mark == null ? {} : { prompt_cache_breakpoint: mark };
