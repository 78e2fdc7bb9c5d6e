import { dropUpload } from './drop-upload.ts';
import { newFileId } from './file-id.ts';
import type { FileTools } from './file-tools.ts';
import { beginUpload, type FileUpload } from './uploads.ts';

type UploadTools = Pick<FileTools, 'database' | 'storage' | 'events' | 'quota'>;

/** Stores a new file. If that fails, what was stored of it is removed. */
export async function withUpload<Result>(
  tools: UploadTools,
  begun: Omit<FileUpload, 'id'>,
  store: (upload: FileUpload) => Promise<Result>,
): Promise<Result> {
  const upload = { ...begun, id: newFileId() };
  await beginUpload(tools.database, upload, tools.quota);
  try {
    return await store(upload);
  } catch (error) {
    await dropUpload(tools, upload);
    throw error;
  }
}
