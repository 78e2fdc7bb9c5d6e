import { readFile } from 'node:fs/promises';
import { StartError } from '@tallyport/service-kit';

const timeoutMs = 30_000;
const mostBytes = 64 * 1024 * 1024;

/** Reads a JSON document from a file or an http(s) URL. Throws with a message for the operator. */
export async function readDocument(place: string): Promise<unknown> {
  const text = await (/^https?:\/\//.test(place) ? download(place) : readFile(place, 'utf8')).catch(
    (cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new StartError(`${place} cannot be read: ${why}.`, { cause });
    },
  );
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new StartError(`${place} is not JSON.`, { cause });
  }
}

async function download(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`the server returned status ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > mostBytes) throw new Error(`it is larger than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
