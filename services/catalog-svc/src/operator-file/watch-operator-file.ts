import { stat } from 'node:fs/promises';
import { type Layer, LayerError } from '../layers/layer.ts';
import { OperatorFileError, readOperatorFile } from './read-operator-file.ts';

export interface OperatorFileOptions {
  file: string;
  /** It was named, so that it must be there; the default one may be absent, which is as good as empty. */
  required: boolean;
  /** Puts it in force. Throws LayerError when it does not fit to what it is laid over. */
  take(layer: Layer): void;
}

export interface OperatorFileWatch {
  /**
   * Reads the file again when it is another one than last time, and tells whether it was. Throws OperatorFileError, once
   * per change: what was in force goes on.
   */
  look(): Promise<boolean>;
}

const empty: Layer = { providers: {}, models: {} };
const absent = 'absent';

/** Looked at by its time, size and number: files that are mounted or replaced tell nobody that they changed. */
export function watchOperatorFile(options: OperatorFileOptions): OperatorFileWatch {
  let seen = options.required ? '' : absent;
  return {
    async look() {
      const mark = await markOf(options.file);
      if (mark === seen) return false;
      seen = mark;
      if (mark === absent) takeNone(options);
      else await read(options);
      return true;
    },
  };
}

function takeNone({ file, required, take }: OperatorFileOptions): void {
  if (required) throw new OperatorFileError([`${file}: there is no such file. SWITCHYARD_CONFIG names it.`]);
  take(empty);
}

async function read({ file, take }: OperatorFileOptions): Promise<void> {
  const { layer, refusal } = await readOperatorFile(file);
  try {
    take(layer);
  } catch (error) {
    throw error instanceof LayerError ? refusal(error) : error;
  }
}

async function markOf(file: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(file);
    return `${mtimeMs} ${size} ${ino}`;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return absent;
    return `unreadable: ${String(error)}`;
  }
}
