import { createClient, type Link, RequestDismissed } from '@tallyport/bus';
import { type GatewayError, ledgerService, newRecordId, type RequestHead } from '@tallyport/contracts';
import { isRefusal } from '@tallyport/limits';
import type { Kit } from '@tallyport/service-kit';
import type { PaidAnswer, PaidRequest } from '../paid-request.ts';
import { contentEvents } from './content-events.ts';
import { createContentMemory } from './content-memory.ts';
import { createContentSender } from './content-sender.ts';
import { gatheredAnswer } from './gathered-answer.ts';
import { type Gathering, startGathering } from './gathering.ts';

/** Keeps prompts and answers for the accounts that want it. */
export interface ContentLog {
  /** Call once a request is planned. `undefined` if nothing of it is kept. `recordId` is a new one if absent. */
  begin(head: RequestHead, request: PaidRequest, recordId?: string): LoggedContent | undefined;
  stop(deadlineMs: number): Promise<void>;
}

/** The content of a running request. */
export interface LoggedContent {
  /** The id for the request's record. */
  readonly recordId: string;
  /** The same answer, which is gathered while it is sent. Call it with what the guardrails left. */
  answered(answer: PaidAnswer, signal: AbortSignal): PaidAnswer;
  /** There is no answer. Of a refusal nothing is kept, nor of a request that is answered elsewhere. */
  failed(error: GatewayError): void;
}

/** Of all requests of this process. */
const maxMemoryBytes = 64 * 1024 * 1024;

export function openContentLog(kit: Pick<Kit, 'log' | 'metrics'>, link: Link): ContentLog {
  const events = contentEvents(kit);
  const { keepContents } = createClient(link, ledgerService);
  const memory = createContentMemory(maxMemoryBytes);
  const sender = createContentSender({ store: (contents, signal) => keepContents({ contents }, { signal }), events });
  return {
    begin({ principal }, { content: reader }, recordId = newRecordId()) {
      if (principal?.contentLog === undefined || reader === undefined) return undefined;
      const { accountId, contentLog } = principal;
      const start = (): Gathering =>
        startGathering(reader.prompt, {
          maxBytes: contentLog.maxBytes,
          memory,
          onDone(content, bytes) {
            const release = (): void => memory.release(bytes);
            sender.add({ content: { id: recordId, accountId, content }, bytes, release });
          },
          onDropped: (reason, error) => events.dropped(reason, 1, error),
        });
      return {
        recordId,
        answered(answer, signal) {
          const gathering = start();
          // A listener is not called if the client has left already.
          if (signal.aborted) gathering.end();
          else signal.addEventListener('abort', gathering.end, { once: true });
          return gatheredAnswer(answer, reader, gathering);
        },
        failed(error) {
          if (!isRefusal(error) && !(error instanceof RequestDismissed)) start().end();
        },
      };
    },
    stop: sender.stop,
  };
}
