/** The text of a file that is a member of a request. */
export interface FileText {
  text: string;
  /** The member with another text. */
  write(text: string): string;
}

type Members = Readonly<Record<string, unknown>>;

const longestType = 200;

/** A text file as data URL, or as base64 beside its type. `undefined` for other files, and text that is not UTF-8. */
export function fileTextIn(parent: Members, name: string): FileText | undefined {
  const value = parent[name];
  if (typeof value !== 'string') return undefined;
  if (/^data:/i.test(value)) return dataUrlText(value);
  const type = parent['mimeType'] ?? parent['mime_type'] ?? parent['media_type'];
  return name === 'data' && typeof type === 'string' && isTextType(type) ? base64Text('', value) : undefined;
}

function dataUrlText(url: string): FileText | undefined {
  const comma = url.slice(0, longestType).indexOf(',');
  const type = url.slice('data:'.length, comma).toLowerCase();
  if (comma === -1 || !isTextType(type)) return undefined;
  const [head, body] = [url.slice(0, comma + 1), url.slice(comma + 1)];
  return type.endsWith(';base64') ? base64Text(head, body) : percentText(head, body);
}

/** Without a type, a data URL is plain text. */
function isTextType(type: string): boolean {
  const essence = (type.split(';')[0] ?? '').trim().toLowerCase();
  return essence === '' || essence.startsWith('text/') || ['json', 'xml', 'yaml'].some((end) => essence.endsWith(end));
}

function base64Text(head: string, body: string): FileText | undefined {
  return decoded(
    () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(body, 'base64')),
    (text) => head + Buffer.from(text).toString('base64'),
  );
}

const percentText = (head: string, body: string): FileText | undefined =>
  decoded(
    () => decodeURIComponent(body),
    (text) => head + encodeURIComponent(text),
  );

function decoded(decode: () => string, write: FileText['write']): FileText | undefined {
  try {
    return { text: decode(), write };
  } catch {
    return undefined;
  }
}
