import type { GatewayError } from '@tallyport/contracts';
import { durationBuckets, type Kit } from '@tallyport/service-kit';
import { type SectionName, sectionNames } from './screen/sections.ts';

/** Pages that belong to no section: the profile, redirects and errors. */
export const otherSection = 'other';

export type MeasuredSection = SectionName | typeof otherSection;

/** The end of a request for a page. */
interface PageEnd {
  section: MeasuredSection;
  status: number;
  durationMs: number;
}

export interface ConsoleEvents {
  pageEnded(end: PageEnd): void;
  pageFailed(error: GatewayError, section: MeasuredSection): void;
  /** The models of a new key could not be listed; its page has fewer examples. */
  modelsNotListed(error: unknown): void;
}

/** Counts each event of console-svc and logs failures once. */
export function consoleEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): ConsoleEvents {
  const duration = metrics.histogram({
    name: 'gateway_page_duration_seconds',
    help: 'Duration of requests for pages of the dashboard.',
    labels: { section: [...sectionNames, otherSection], status_class: ['2xx', '3xx', '4xx', '5xx'] },
    buckets: durationBuckets,
  });
  return {
    pageEnded({ section, status, durationMs }) {
      duration.with({ section, status_class: classOf(status) }).observe(durationMs / 1000);
    },
    modelsNotListed: (error) => log.warn({ error }, 'the models of a new key could not be listed'),
    pageFailed: (error, section) => log.error({ error, section }, 'a page could not be shown'),
  };
}

const classOf = (status: number): '2xx' | '3xx' | '4xx' | '5xx' =>
  status < 300 ? '2xx' : status < 400 ? '3xx' : status < 500 ? '4xx' : '5xx';
