import type { FileTools } from './file-tools.ts';
import { removeFile } from './sweep-files.ts';
import { abandonUpload, type FileUpload } from './uploads.ts';

/** Removes what was stored of an upload. What remains if this fails is removed by the sweep. */
export async function dropUpload(
  tools: Pick<FileTools, 'database' | 'storage' | 'events'>,
  upload: FileUpload,
): Promise<void> {
  try {
    if (await abandonUpload(tools.database, upload)) await removeFile(tools, upload.id);
  } catch (error) {
    tools.events.contentNotRemoved(error, upload.id);
  }
}
