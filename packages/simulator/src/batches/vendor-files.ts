import { type ArrivedRequest, bytesReply, contentHash, formParts, jsonReply, type Reply } from '@tallyport/sandbox';
import { keyLabelOf } from '../bill/key-label.ts';

interface StoredFile {
  readonly owner: string;
  readonly bytes: Buffer;
  readonly purpose: string;
  readonly filename: string;
  readonly createdAt: number;
}

/** What a file is uploaded with: the fields of the form, in their order. */
export type UploadFields = readonly { readonly name: string; readonly content: Buffer }[];

interface FileRules {
  readonly now: () => number;
  /** From 32 hexadecimal digits. */
  readonly idOf: (digits: string) => string;
  /** The vendor's error for an upload that it does not take. */
  readonly refuse: (fields: UploadFields) => Reply | undefined;
}

/** The files of a vendor's simulated accounts. */
export interface VendorFiles {
  /** Returns the id of the file. */
  keep(file: Pick<StoredFile, 'owner' | 'bytes'>): string;
  /** The bytes of a file of the request's key. */
  read(request: ArrivedRequest, id: unknown): Buffer | undefined;
  upload(request: ArrivedRequest): Reply;
  show(request: ArrivedRequest): Reply | undefined;
  content(request: ArrivedRequest): Reply | undefined;
}

export function createVendorFiles({ now, idOf, refuse }: FileRules): VendorFiles {
  const files = new Map<string, StoredFile>();
  const store = (file: StoredFile): string => {
    const id = idOf(contentHash(`${files.size}/${contentHash(file.bytes)}`).slice(0, 32));
    files.set(id, file);
    return id;
  };
  const find = (request: ArrivedRequest, id: unknown): StoredFile | undefined => {
    const file = files.get(String(id));
    return file?.owner === keyLabelOf(request) ? file : undefined;
  };
  return {
    keep: (file) => store({ ...file, purpose: 'batch_output', filename: 'output.jsonl', createdAt: now() }),
    read: (request, id) => find(request, id)?.bytes,
    upload(request) {
      const fields = formParts(request.body, request.headers['content-type']) ?? [];
      const refused = refuse(fields);
      if (refused !== undefined) return refused;
      const { purpose, file: bytes = Buffer.alloc(0) } = contentsOf(fields);
      const given = { owner: keyLabelOf(request), bytes, purpose: purpose?.toString() ?? '' };
      const file = { ...given, filename: 'lines.jsonl', createdAt: now() };
      return jsonReply(200, documentOf(store(file), file));
    },
    show(request) {
      const id = idIn(request);
      const file = find(request, id);
      return file && jsonReply(200, documentOf(id, file));
    },
    content(request) {
      const file = find(request, idIn(request));
      return file && bytesReply(file.bytes, { 'content-type': 'application/octet-stream' });
    },
  };
}

export const contentsOf = (fields: UploadFields): Readonly<Partial<Record<string, Buffer>>> =>
  Object.fromEntries(fields.map(({ name, content }) => [name, content]));

const idIn = ({ path }: ArrivedRequest): string => /\/files\/([^/]+)/.exec(path)?.[1] ?? '';

const documentOf = (id: string, { bytes, purpose, filename, createdAt }: StoredFile) => ({
  id,
  object: 'file',
  bytes: bytes.length,
  created_at: createdAt,
  filename,
  purpose,
  status: 'processed',
});
