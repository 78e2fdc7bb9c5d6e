import { encodingOf } from './file-encoding.ts';

/** The text of a file that is a member of a request. */
export interface FileText {
  text: string;
  /** The member with another text. */
  write(text: string): string;
}

type Members = Readonly<Record<string, unknown>>;

/** A file with text as data URL, or as base64 beside its type. `undefined` for images, sound and other bytes. */
export function fileTextIn(parent: Members, name: string): FileText | undefined {
  const value = parent[name];
  if (typeof value !== 'string') return undefined;
  if (/^data:/i.test(value)) return dataUrlText(value);
  const type = parent['mimeType'] ?? parent['mime_type'] ?? parent['media_type'];
  return name === 'data' && typeof type === 'string' ? base64Text('', value, type) : undefined;
}

function dataUrlText(url: string): FileText | undefined {
  const comma = url.indexOf(',');
  if (comma === -1) return undefined;
  const type = url.slice('data:'.length, comma);
  const [head, body] = [url.slice(0, comma + 1), url.slice(comma + 1)];
  return /;\s*base64\s*$/i.test(type) ? base64Text(head, body, type) : percentText(head, body);
}

function base64Text(head: string, body: string, type: string): FileText | undefined {
  const kind = kindOf(type);
  if (kind === 'other') return undefined;
  const bytes = Buffer.from(body, 'base64');
  const encoding = encodingOf(bytes, kind);
  return encoding && { text: encoding.read(bytes), write: (text) => head + encoding.write(text).toString('base64') };
}

/** Of a type that may be text, the bytes decide. Without a type, a data URL is plain text. */
function kindOf(type: string): 'other' | 'text' | 'unknown' {
  const essence = (type.split(';')[0] ?? '').trim().toLowerCase();
  if (essence === '' || essence.startsWith('text/')) return 'text';
  if (essence.endsWith('xml')) return 'unknown';
  return /^(audio|font|image|video)\/|^application\/pdf$/.test(essence) ? 'other' : 'unknown';
}

function percentText(head: string, body: string): FileText {
  try {
    return { text: decodeURIComponent(body), write: (text) => head + encodeURIComponent(text) };
  } catch {
    return { text: body, write: (text) => head + text };
  }
}
