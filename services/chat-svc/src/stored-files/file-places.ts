/** An object in a body; most are parts. */
export type NamingPart = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is NamingPart =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A part of a message or an item that names a stored file. */
export interface FilePlace {
  id: string;
  /** Where the id is in the request. */
  path: string;
  part: NamingPart;
  /** The part, or the object in it that has the id. */
  holder: NamingPart;
  /** The member of the holder that has the id: APIs of Google call it an address. */
  member: IdMember;
}

export type IdMember = 'file_id' | 'fileUri' | 'file_uri' | 'uri';

/** The places of a request that name stored files. */
export function filePlacesIn(body: unknown): FilePlace[] {
  const places: FilePlace[] = [];
  inBody(body, (part, path) => {
    const place = placeOf(part, path);
    if (place !== undefined) places.push(place);
    return part;
  });
  return places;
}

/** The body with other parts in place of some of its own. */
export const withParts = (body: unknown, others: ReadonlyMap<NamingPart, NamingPart>): unknown =>
  inBody(body, (part) => others.get(part) ?? part);

/** What only this gateway names its files. Ids of vendors stay as they are. */
const ownId = /^file[-_][0-9a-f]{32}$/;

function placeOf(part: NamingPart, path: string): FilePlace | undefined {
  const { type, file, source } = part;
  const named = namedIn(part);
  if (type === 'input_file' || type === 'input_image') return named(part, 'file_id', path);
  if (type === 'file') return named(file, 'file_id', `${path}.file`);
  if (type === 'image' || type === 'document')
    return isObject(source) && source['type'] === 'file'
      ? named(source, 'file_id', `${path}.source`)
      : named(part, 'uri', path);
  if (type === 'audio') return named(part, 'uri', path);
  if (type !== undefined) return undefined;
  return (
    named(part['fileData'], 'fileUri', `${path}.fileData`) ?? named(part['file_data'], 'file_uri', `${path}.file_data`)
  );
}

const namedIn =
  (part: NamingPart) =>
  (holder: unknown, member: IdMember, path: string): FilePlace | undefined => {
    if (!isObject(holder)) return undefined;
    const id = holder[member];
    return typeof id === 'string' && ownId.test(id)
      ? { id, path: `${path}.${member}`, part, holder, member }
      : undefined;
  };

/** Where messages, items and contents are in a body, and parts in them. Arguments of tools may look like parts, and are none. */
const ofBody = ['messages', 'input', 'items', 'contents', 'generateContentRequest'];
const ofPart = ['content', 'output', 'source', 'parts', 'contents', 'result'];

type Change = (part: NamingPart, path: string) => NamingPart;

interface Walk {
  path: string;
  change: Change;
}

const inBody = (body: unknown, change: Change): unknown =>
  isObject(body) ? withMembers(body, ofBody, { path: '', change }) : body;

function withMembers(holder: NamingPart, names: readonly string[], { path, change }: Walk): NamingPart {
  let changed: Record<string, unknown> | undefined;
  for (const name of names) {
    const before = holder[name];
    const after = walked(before, { path: path === '' ? name : `${path}.${name}`, change });
    if (after !== before) (changed ??= { ...holder })[name] = after;
  }
  return changed ?? holder;
}

function walked(value: unknown, { path, change }: Walk): unknown {
  if (Array.isArray(value)) {
    const after = value.map((each, at) => walked(each, { path: `${path}[${at}]`, change }));
    return after.some((each, at) => each !== value[at]) ? after : value;
  }
  if (!isObject(value)) return value;
  const part = change(value, path);
  return part === value ? withMembers(value, ofPart, { path, change }) : part;
}
