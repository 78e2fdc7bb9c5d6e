import type { ImagePart } from '../image-provider.ts';
import { type Members, text } from '../read.ts';

/** An entry of `data` in OpenAI's format; `undefined` where it holds no image. */
export function imageIn(entry: Members, mediaType: string | undefined): ImagePart | undefined {
  const base64 = text(entry.b64_json);
  const url = text(entry.url);
  const told = named('mediaType', mediaType);
  const source = base64 !== undefined ? { base64, ...told } : url !== undefined ? { url, ...told } : undefined;
  if (source === undefined) return undefined;
  return { source, ...named('revisedPrompt', text(entry.revised_prompt)), ...named('size', text(entry.size)) };
}

/** A member, where it says something. */
export const named = <Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } =>
  value === undefined ? {} : ({ [name]: value } as { [Key in Name]?: Value });
