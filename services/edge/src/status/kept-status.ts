import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Client } from '@tallyport/bus';
import type { chatService, ledgerService } from '@tallyport/contracts';
import { render } from '@tallyport/pages';
import type { ContentEncoding } from '@tallyport/wire';
import { publicStatus, statusPeriods } from './status.ts';
import { statusDocument } from './status-document.ts';
import { statusFeed } from './status-feed.ts';
import { statusPage } from './status-page.ts';

export interface StatusServices {
  ledger: Pick<Client<(typeof ledgerService)['operations']>, 'providerUptimes'>;
  chat: Pick<Client<(typeof chatService)['operations']>, 'availableProviders'>;
}

/** One form of the status, ready to be sent. */
interface StatusForm {
  type: string;
  etag: string;
  body: Buffer;
  encoded: Readonly<Record<ContentEncoding, Buffer>>;
}

export type StatusForms = Readonly<Record<'page' | 'json' | 'feed', StatusForm>>;

export interface KeptStatusOptions {
  onFailure(error: unknown): void;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** Browsers and proxies may keep it for as long. */
export const statusFreshMs = 30_000;
const retryMs = 5_000;
const timeoutMs = 5_000;

/**
 * The status, read and written at most once in half a minute for any number of visitors. A failure is kept for a
 * few seconds. The last status is not used instead: it could report a gateway as operational that does not answer.
 */
export function createKeptStatus(
  services: StatusServices,
  { onFailure, now = Date.now }: KeptStatusOptions,
): () => Promise<StatusForms> {
  let kept: { forms: Promise<StatusForms>; until: number } | undefined;

  function readOnce(): Promise<StatusForms> {
    const forms = readForms(services, now());
    const reading = { forms, until: Infinity };
    forms.then(
      () => (reading.until = now() + statusFreshMs),
      (error: unknown) => {
        reading.until = now() + retryMs;
        onFailure(error);
      },
    );
    kept = reading;
    return forms;
  }

  return () => (kept !== undefined && now() < kept.until ? kept.forms : readOnce());
}

async function readForms({ ledger, chat }: StatusServices, now: number): Promise<StatusForms> {
  const [uptimes, { providers: available }] = await Promise.all([
    ledger.providerUptimes(statusPeriods, { timeoutMs }),
    chat.availableProviders({}, { timeoutMs }),
  ]);
  const status = publicStatus({ uptimes, available, now });
  const [page, json, feed] = await Promise.all([
    formOf('text/html', render(statusPage(status))),
    formOf('application/json', JSON.stringify(statusDocument(status))),
    formOf('application/atom+xml', render(statusFeed(status))),
  ]);
  return { page, json, feed };
}

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) };

async function formOf(type: string, text: string): Promise<StatusForm> {
  const body = Buffer.from(text);
  const [br, gzipped] = await Promise.all([compress.br(body), compress.gzip(body)]);
  return {
    type: `${type}; charset=utf-8`,
    // Weak: the same for every encoding.
    etag: `W/"${hash('sha256', body).slice(0, 16)}"`,
    body,
    encoded: { br, gzip: gzipped },
  };
}
