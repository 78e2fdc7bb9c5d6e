import type { ImagePart } from '../spec/image-provider.ts';
import { type Members, text } from '../read.ts';

/** The image in an entry of `data` in OpenAI's format; `undefined` if it has none. */
export function imageIn(entry: Members, mediaType: string | undefined): ImagePart | undefined {
  const base64 = text(entry.b64_json);
  const url = text(entry.url);
  const declaredType = named('mediaType', mediaType);
  const source =
    base64 !== undefined ? { base64, ...declaredType } : url !== undefined ? { url, ...declaredType } : undefined;
  if (source === undefined) return undefined;
  return { source, ...named('revisedPrompt', text(entry.revised_prompt)), ...named('size', text(entry.size)) };
}

/** An object with this member, or an empty object if the value is `undefined`. */
export const named = <Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } =>
  value === undefined ? {} : ({ [name]: value } as { [Key in Name]?: Value });
