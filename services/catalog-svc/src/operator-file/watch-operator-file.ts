import { type Layer, LayerError } from '../layers/layer.ts';
import { FileError } from '@tallyport/wire/yaml';
import { absentMark, fileMark } from '@tallyport/service-kit';
import { readOperatorFile } from './read-operator-file.ts';

export interface OperatorFileOptions {
  file: string;
  /** The operator named the file, so it must exist. The default file may be missing, which counts as empty. */
  required: boolean;
  /** Applies the layer. Throws LayerError if it does not fit. */
  take(layer: Layer): void;
}

interface OperatorFileWatch {
  /**
   * Reads the file if it has changed, and returns whether it had. Throws FileError once per change; the
   * previous version stays in force then.
   */
  look(): Promise<boolean>;
}

const empty: Layer = { providers: {}, models: {}, routes: {} };

/** Compares time, size and inode, because mounted or replaced files send no change events. */
export function watchOperatorFile(options: OperatorFileOptions): OperatorFileWatch {
  let seen = options.required ? '' : absentMark;
  return {
    async look() {
      const mark = await fileMark(options.file);
      if (mark === seen) return false;
      seen = mark;
      if (mark === absentMark) applyEmpty(options);
      else await read(options);
      return true;
    },
  };
}

function applyEmpty({ file, required, take }: OperatorFileOptions): void {
  if (required) throw new FileError([`${file}: there is no such file. TALLYPORT_CONFIG names it.`]);
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
