/** One kind of body, of about `bytes` bytes. */
interface Shape {
  name: string;
  body(bytes: number): Buffer;
}

/** Bodies that may be slow to parse, validate or serialize. Some are valid requests. */
export const shapes: readonly Shape[] = [
  inChat('a list of numbers as messages', (bytes) => list('0', bytes), 'messages'),
  inChat('empty objects as messages', (bytes) => list('{}', bytes), 'messages'),
  inChat('good messages', (bytes) => list('{"role":"user","content":"Hi"}', bytes), 'messages'),
  inChat('one message of many parts', (bytes) => message(list('{"type":"text","text":""}', bytes)), 'messages'),
  inChat('one message of wrong parts', (bytes) => message(list('{"type":"text","text":0}', bytes)), 'messages'),
  inChat('metadata with numbers', (bytes) => members('0', bytes), 'metadata'),
  inChat('metadata', (bytes) => members('""', bytes), 'metadata'),
  inChat('invalid tools', (bytes) => list('1', bytes), 'tools'),
  inChat('unknown members of lists', (bytes) => members('[]', bytes), 'vendor'),
  inChat('nested lists', (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2), 'vendor'),
  inChat('nested objects', (bytes) => '{"a":'.repeat(bytes / 6) + '0' + '}'.repeat(bytes / 6), 'vendor'),
  inChat('white space', (bytes) => ' '.repeat(bytes) + '0', 'vendor'),
  inChat('one number', (bytes) => '1'.repeat(bytes), 'seed'),
  inChat('a text of ASCII', (bytes) => message(`"${'x'.repeat(bytes)}"`), 'messages'),
  inChat('a text with an emoji', (bytes) => message(`"😀${'x'.repeat(bytes)}"`), 'messages'),
  inChat('a text of Chinese', (bytes) => message(`"${'中'.repeat(bytes / 3)}"`), 'messages'),
  inChat('a text of line ends', (bytes) => message(`"${'\\n'.repeat(bytes / 2)}"`), 'messages'),
  inChat('a text of escaped quotes', (bytes) => message(`"${'\\"'.repeat(bytes / 2)}"`), 'messages'),
  inChat('a text of escaped letters', (bytes) => message(`"${'\\u4e00'.repeat(bytes / 6)}"`), 'messages'),
  inChat('backslashes', (bytes) => message(`"${'\\\\'.repeat(bytes / 2)}"`), 'messages'),
  inChat('short texts', (bytes) => message(list(`{"type":"text","text":"${'x'.repeat(200)}"}`, bytes)), 'messages'),
  inChat('a name of a member', (bytes) => `{"${'x'.repeat(bytes)}":0}`, 'vendor'),
  inChat(
    'four images',
    (bytes) =>
      message(
        `[${imagePart(bytes / 4)
          .repeat(4)
          .slice(0, -1)}]`,
      ),
    'messages',
  ),
  inChat(
    'many images',
    (bytes) =>
      message(
        `[${imagePart(20_000)
          .repeat(bytes / 20_000)
          .slice(0, -1)}]`,
      ),
    'messages',
  ),
  inChat('a string that does not end', (bytes) => `"${'x'.repeat(bytes)}`, 'vendor'),
  inChat('commas', (bytes) => ','.repeat(bytes), 'vendor'),
];

/** A chat that is valid except for this member. */
function inChat(name: string, value: (bytes: number) => string, member: string): Shape {
  const good = member === 'messages' ? '' : '"messages":[{"role":"user","content":"Hi"}],';
  return { name, body: (bytes) => Buffer.from(`{"model":"m",${good}"${member}":${value(bytes)}}`) };
}

const message = (content: string): string => `[{"role":"user","content":${content}}]`;

const list = (element: string, bytes: number): string =>
  `[${`${element},`.repeat(bytes / (element.length + 1))}${element}]`;

function members(value: string, bytes: number): string {
  const count = Math.floor(bytes / (value.length + 11));
  return `{${Array.from({ length: count }, (_, at) => `"k${String(at).padStart(6, '0')}":${value}`).join(',')}}`;
}

const imagePart = (bytes: number): string =>
  `{"type":"image_url","image_url":{"url":"data:image/png;base64,${'A'.repeat(Math.max(0, bytes - 70))}"}},`;
