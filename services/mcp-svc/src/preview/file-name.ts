import { GatewayError } from '@tallyport/contracts';

/** The limit of most file systems. */
const maxBytes = 255;

// oxlint-disable-next-line no-control-regex -- control characters are what this rejects
const forbiddenCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff/\\:*?"<>|]/;
/** These characters display a name in another order than it is stored, for example `cat\u202egnp.exe`. */
const directionMark = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]/;
/** Names that Windows treats as devices, with any extension. Saved files may be copied there. */
const deviceName = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(\.|$)/i;
const imageExtension = /\.(png|jpe?g|gif|webp|avif)$/i;

export const defaultFileName = (now: Date): string => `preview-image-${now.toISOString().replaceAll(/[:.]/g, '-')}.png`;

/** Throws `invalid_parameters` if `name` is not a plain file name. */
export function checkFileName(name: string): void {
  const problem = problemWith(name);
  if (problem === undefined) return;
  throw new GatewayError('invalid_parameters', `Invalid filename: ${problem}. Use a plain name such as cat.png.`);
}

function problemWith(name: string): string | undefined {
  if (name.trim() === '') return 'it is empty';
  if (name.includes('/') || name.includes('\\')) return 'it contains a path separator';
  if (forbiddenCharacters.test(name)) return 'it contains a character that is not allowed in file names';
  if (directionMark.test(name)) return 'it contains a text direction mark';
  if (name.startsWith('.')) return 'it begins with a dot';
  if (/[. ]$/.test(name)) return 'it ends with a dot or a space';
  if (deviceName.test(name)) return 'it is a device name';
  if (!name.isWellFormed()) return 'it is not well-formed text';
  if (Buffer.byteLength(name) > maxBytes) return `it is longer than ${maxBytes} bytes`;
  return undefined;
}

const extensions: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'image/avif': '.avif',
};

/**
 * The names to try, in order: the requested one with the extension of the actual image type, then with -1, -2 … before
 * the extension. Names that would be too long are shortened.
 */
export function* candidateNames(name: string, mimeType: string): Generator<string> {
  const given = imageExtension.exec(name)?.[0] ?? '';
  const fitting = extensions[mimeType] ?? '.png';
  const extension = given.toLowerCase().replace('.jpeg', '.jpg') === fitting ? given : fitting;
  const stem = name.slice(0, name.length - given.length);
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
