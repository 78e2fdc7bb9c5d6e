import type { Provider } from '../spec/provider.ts';

/** UTC days, both inclusive, as in `2026-11-26`. */
export interface ReportPeriod {
  readonly from: string;
  readonly to: string;
}

/** One amount of a vendor's bill. A member is absent where the report does not say it. */
export interface BilledLine {
  readonly day: string;
  /** The vendor's name. */
  readonly model?: string;
  /** Our name of a class where the report means one (`billedClassOf`), otherwise the vendor's text. */
  readonly billedClass: string;
  readonly tier?: string;
  /** The vendor's id of the key. */
  readonly keyId?: string;
  /** USD as decimal text with all digits of the report. Credits are negative. */
  readonly amount: string;
  /** Tokens, images or requests. */
  readonly quantity?: number;
}

/** What a vendor counted, for reports that count and bill apart. */
export interface CountedUse {
  readonly day: string;
  readonly model?: string;
  readonly tier?: string;
  readonly keyId?: string;
  readonly requests?: number;
  /** By class, as in `BilledLine`. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface ReportPage {
  readonly lines: readonly BilledLine[];
  readonly uses: readonly CountedUse[];
  /** The path of the next page. */
  readonly next?: string;
}

/** One request of a report. */
export interface ReportQuestion {
  /** Follows the base URL. */
  readonly path: string;
  /** Reads an answer with status 200, whose numbers kept their digits. Throws a GatewayError for any other shape. */
  read(answer: unknown): ReportPage;
}

/** The class of a line that is about all classes of its model together. */
export const everyClass = 'all';

/** A vendor's own report of what it bills, as pure functions. */
export interface CostReport extends Pick<Provider, 'id' | 'baseUrl' | 'sdkAddsVersion' | 'keyVariable'> {
  /** The name for people. */
  readonly name: string;
  /** What the key must be, for the message when it is missing or refused. */
  readonly keyName: string;
  headers(adminKey: string): Record<string, string>;
  questions(period: ReportPeriod): ReportQuestion[];
}
