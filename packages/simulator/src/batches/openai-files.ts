import {
  type ArrivedRequest,
  bytesReply,
  contentHash,
  formParts,
  invalidRequest,
  jsonReply,
  openAiErrorBody,
  type Reply,
} from '@tallyport/sandbox';
import { keyLabelOf } from '../bill/key-label.ts';

interface StoredFile {
  readonly owner: string;
  readonly bytes: Buffer;
  readonly purpose: string;
  readonly filename: string;
  readonly createdAt: number;
}

/** The files of OpenAI's simulated accounts. */
export interface OpenAiFiles {
  /** Returns the id of the file. */
  keep(file: Pick<StoredFile, 'owner' | 'bytes'>): string;
  /** The bytes of a file of the request's key. */
  read(request: ArrivedRequest, id: string): Buffer | undefined;
  upload(request: ArrivedRequest): Reply;
  show(request: ArrivedRequest): Reply | undefined;
  content(request: ArrivedRequest): Reply | undefined;
}

export function createOpenAiFiles(now: () => number): OpenAiFiles {
  const files = new Map<string, StoredFile>();
  const store = (file: StoredFile): string => {
    const id = `file-${contentHash(`${files.size}/${contentHash(file.bytes)}`).slice(0, 24)}`;
    files.set(id, file);
    return id;
  };
  const find = (request: ArrivedRequest, id: string): StoredFile | undefined => {
    const file = files.get(id);
    return file?.owner === keyLabelOf(request) ? file : undefined;
  };
  return {
    keep: (file) => store({ ...file, purpose: 'batch_output', filename: 'output.jsonl', createdAt: now() }),
    read: (request, id) => find(request, id)?.bytes,
    upload(request) {
      const parts = formParts(request.body, request.headers['content-type']) ?? [];
      const fields = Object.fromEntries(parts.map(({ name, content }) => [name, content]));
      const purpose = fields['purpose']?.toString() ?? '';
      const bytes = fields['file'];
      if (bytes === undefined) return openAiRefusal('file is a required property', 'file');
      if (!purposes.test(purpose)) return openAiRefusal('Invalid purpose', 'purpose');
      const file = { owner: keyLabelOf(request), bytes, purpose, filename: 'lines.jsonl', createdAt: now() };
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

const purposes = /^(assistants|batch|fine-tune|vision|user_data|evals)$/;

const idIn = ({ path }: ArrivedRequest): string => /\/files\/([^/]+)/.exec(path)?.[1] ?? '';

export const openAiRefusal = (message: string, param: string | null): Reply =>
  jsonReply(400, openAiErrorBody(invalidRequest(message, param)));

const documentOf = (id: string, { bytes, purpose, filename, createdAt }: StoredFile) => ({
  id,
  object: 'file',
  bytes: bytes.length,
  created_at: createdAt,
  filename,
  purpose,
  status: 'processed',
});
