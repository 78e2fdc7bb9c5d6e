import { setTimeout as pause } from 'node:timers/promises';
import { GatewayError } from '@tallyport/contracts';
import { createPools, openUpstream, type Pools, readAll, UpstreamFailure } from '@tallyport/outbound';
import {
  configuredBase,
  type CostReport,
  type ReportPage,
  type ReportPeriod,
  type ReportQuestion,
} from '@tallyport/providers/cost-reports';
import { parseExactJson } from '@tallyport/wire';
import type { ReportToCompare } from './compare/build-cells.ts';

interface ReportSource {
  report: CostReport;
  period: ReportPeriod;
  /** Used for these requests only. */
  adminKey: string;
  /** The configured address of the provider. */
  baseUrl: string | undefined;
}

export interface ReportLimits {
  /** Of the whole report. */
  deadlineMs: number;
  mostPages: number;
  mostLines: number;
  /** Of one page. */
  maxBytes: number;
  tries: number;
  /** Before the second try; doubled for each further one. */
  firstPauseMs: number;
}

const usualLimits: ReportLimits = {
  deadlineMs: 120_000,
  mostPages: 500,
  mostLines: 100_000,
  maxBytes: 16 * 1024 * 1024,
  tries: 4,
  firstPauseMs: 1_000,
};

/** Reads a vendor's report, page by page. Throws a GatewayError with a sentence for every failure. */
export async function readReport(source: ReportSource, changed: Partial<ReportLimits> = {}): Promise<ReportToCompare> {
  const limits = { ...usualLimits, ...changed };
  const pools = createPools({ connectMs: 10_000 });
  const deadline = AbortSignal.timeout(limits.deadlineMs);
  try {
    return await readAllPages({ source, limits, pools, deadline });
  } catch (error) {
    if (deadline.aborted) throw tooLate(source.report, limits);
    throw error;
  } finally {
    await pools.close();
  }
}

interface Reading {
  source: ReportSource;
  limits: ReportLimits;
  pools: Pools;
  deadline: AbortSignal;
}

async function readAllPages(reading: Reading): Promise<ReportToCompare> {
  const { report, period } = reading.source;
  const { mostPages, mostLines } = reading.limits;
  const found = { lines: [] as ReportPage['lines'][number][], uses: [] as ReportPage['uses'][number][] };
  let pages = 0;
  for (const question of report.questions(period)) {
    let path: string | undefined = question.path;
    while (path !== undefined) {
      pages += 1;
      if (pages > mostPages) throw tooLong(report);
      const page: ReportPage = await readPage(reading, question, path);
      found.lines.push(...page.lines);
      found.uses.push(...page.uses);
      if (found.lines.length + found.uses.length > mostLines) throw tooLong(report);
      path = page.next;
    }
  }
  return found;
}

async function readPage(reading: Reading, question: ReportQuestion, path: string): Promise<ReportPage> {
  const { source, limits, deadline } = reading;
  for (let tried = 1; ; tried += 1) {
    const answer = await request(reading, path);
    if (answer.kind === 'answered') return question.read(parsed(source.report, answer.text));
    if (!answer.again || tried >= limits.tries) throw answer.error;
    await pause(answer.afterMs ?? limits.firstPauseMs * 2 ** (tried - 1), undefined, { signal: deadline });
  }
}

type Answer =
  | { kind: 'answered'; text: string }
  | { kind: 'failed'; error: GatewayError; again: boolean; afterMs?: number };

async function request({ source, limits, pools, deadline }: Reading, path: string): Promise<Answer> {
  const { report, adminKey, baseUrl } = source;
  const { origin, pathname } = new URL(configuredBase(report, baseUrl));
  const headers = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'tallyport' };
  const call = openUpstream(
    pools,
    {
      origin,
      path: pathname.replace(/\/+$/, '') + path,
      method: 'GET',
      headers: { ...headers, ...report.headers(adminKey) },
      body: '',
    },
    { maxBytes: limits.maxBytes },
  );
  const leave = (): void => call.abort(new UpstreamFailure('max_duration', 'took too long'));
  deadline.throwIfAborted();
  deadline.addEventListener('abort', leave, { once: true });
  try {
    const head = await call.head();
    if (head.status === 200) return { kind: 'answered', text: (await readAll(call)).toString('utf8') };
    leave();
    return refused(report, head.status, head.headers['retry-after']);
  } catch (cause) {
    if (deadline.aborted || !(cause instanceof UpstreamFailure)) throw cause;
    const error = new GatewayError('upstream_error', `${report.name} ${cause.message}. Try again later.`, { cause });
    return { kind: 'failed', error, again: cause.kind !== 'too_large' };
  } finally {
    deadline.removeEventListener('abort', leave);
  }
}

function refused({ name, keyName }: CostReport, status: number, retryAfter: unknown): Answer {
  const failed = (error: GatewayError): Answer => ({ kind: 'failed', error, again: false });
  if (status === 401 || status === 403)
    return failed(new GatewayError('upstream_auth', `${name} refused the key. Its reports need ${keyName}.`));
  if (status !== 429 && status < 500)
    return failed(
      new GatewayError('upstream_error', `${name} answered with status ${status}. Check the period and the base URL.`),
    );
  const seconds = typeof retryAfter === 'string' && /^\d{1,3}$/.test(retryAfter) ? Number(retryAfter) : undefined;
  return {
    kind: 'failed',
    error: new GatewayError('upstream_error', `${name} answered with status ${status}. Try again later.`),
    again: true,
    ...(seconds !== undefined && { afterMs: seconds * 1000 }),
  };
}

function parsed({ name }: CostReport, text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (cause) {
    throw new GatewayError('upstream_error', `The report of ${name} is not JSON. Check the base URL.`, { cause });
  }
}

const tooLong = ({ name }: CostReport): GatewayError =>
  new GatewayError('upstream_error', `The report of ${name} is too long. Choose fewer days.`);

const tooLate = ({ name }: CostReport, { deadlineMs }: ReportLimits): GatewayError =>
  new GatewayError(
    'upstream_timeout',
    `${name} did not complete its report in ${deadlineMs / 1000} s. Try again later.`,
  );
