import { GatewayError } from '@switchyard/contracts';

/** What most file systems take. */
const maxBytes = 255;

// oxlint-disable-next-line no-control-regex -- they are what must not be there
const forbiddenCharacters = /[\u0000-\u001f\u007f/\\:*?"<>|]/;
/** Names that are devices on Windows, whatever their extension: files travel. */
const deviceName = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i;
const imageExtension = /\.(png|jpe?g|gif|webp|avif)$/i;

export const defaultFileName = (now: Date): string => `preview-image-${now.toISOString().replaceAll(/[:.]/g, '-')}.png`;

/** Throws `invalid_parameters` for what is not the plain name of a file. */
export function checkFileName(name: string): void {
  const problem = problemWith(name);
  if (problem === undefined) return;
  throw new GatewayError('invalid_parameters', `Invalid filename: ${problem}. Give a plain name such as cat.png.`);
}

function problemWith(name: string): string | undefined {
  if (name.trim() === '') return 'it is empty';
  if (name.includes('/') || name.includes('\\')) return 'it has a path separator';
  if (forbiddenCharacters.test(name)) return 'it has a character that file names cannot have';
  if (name.startsWith('.')) return 'it begins with a dot';
  if (/[. ]$/.test(name)) return 'it ends with a dot or a space';
  if (deviceName.test(name)) return 'it is the name of a device';
  if (!name.isWellFormed()) return 'it is not well-formed text';
  if (Buffer.byteLength(name) > maxBytes) return `it is longer than ${maxBytes} bytes`;
  return undefined;
}

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'image/avif': '.avif',
};

/** The names to try, in order: the wanted one, then with -1, -2 … before its extension. Cut where they would be too long. */
export function* candidateNames(name: string, mimeType: string): Generator<string> {
  const extension = imageExtension.exec(name)?.[0] ?? extensions[mimeType] ?? '.png';
  const stem = imageExtension.test(name) ? name.slice(0, -extension.length) : name;
  yield shorten(stem, extension) + extension;
  for (let count = 1; count <= 1000; count++) {
    const ending = `-${count}${extension}`;
    yield shorten(stem, ending) + ending;
  }
}

function shorten(stem: string, ending: string): string {
  let shortened = stem;
  while (Buffer.byteLength(shortened + ending) > maxBytes) shortened = [...shortened].slice(0, -1).join('');
  return shortened;
}
