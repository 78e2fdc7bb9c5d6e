import type { SlicedRequest, UpstreamRequest } from './upstream-request.ts';

/** A request as a line of a vendor's batch. */
export interface VendorLine {
  readonly id: string;
  /** As `endpointOf` returns it. */
  readonly endpoint: string;
  /** The body of the request, which is JSON. */
  readonly body: string;
}

export interface BatchOrder {
  /** Names the batch where the vendor keeps names. */
  readonly name: string;
  readonly endpoint: string;
  /** As `line` writes them. */
  readonly lines: readonly string[];
  /** The file with the lines, if they were stored before. */
  readonly fileId: string | undefined;
}

/** What a vendor says about a batch. */
export interface VendorBatch {
  readonly id: string;
  /** Absent if the vendor keeps no names, or the batch was opened without one. */
  readonly name: string | undefined;
  readonly createdAtMs: number;
  /** No line will be answered any more. */
  readonly isOver: boolean;
  /** Where its results are. */
  readonly results: readonly string[];
}

/** A page of a vendor's list of batches. */
export interface VendorBatchPage {
  readonly batches: readonly VendorBatch[];
  /** What `list` takes for the page that follows; `undefined` if there is none. */
  readonly next: string | undefined;
}

/** A page of the results of a batch. */
export interface VendorResultPage {
  /** What `result` reads. */
  readonly rows: readonly unknown[];
  /** What `results` takes for the page that follows; `undefined` if there is none. */
  readonly next: string | undefined;
}

/** The result of a line. */
export interface VendorBatchResult {
  readonly id: string;
  /** The answer, as JSON; absent unless the line succeeded. */
  readonly body: string | undefined;
}

/** How a vendor takes many requests at once and answers them later, at its price for that: pure functions. */
export interface BatchFormat {
  /** Whether `list` shows the name of each batch that was opened with one. */
  readonly keepsNames: boolean;
  /** The headers that a request may have: there are none of its own in a batch. */
  readonly headers: ReadonlySet<string>;
  /** What a batch names the path of a request; `undefined` if no batch takes such requests. */
  endpointOf(path: string): string | undefined;
  line(line: VendorLine): string;
  /** Stores the lines; absent if `create` sends them. */
  upload?(order: Omit<BatchOrder, 'fileId'>): SlicedRequest;
  create(order: BatchOrder): SlicedRequest;
  get(id: string): UpstreamRequest;
  cancel(id: string): UpstreamRequest;
  /** The newest batches first; the first page, or the one that `page` has named. */
  list(page: string | undefined): UpstreamRequest;
  /** The first page, or the one that `resultPage` has named. */
  results(place: string, page?: string): UpstreamRequest;
  /** Reads the answer to `upload`. */
  fileId(body: unknown): string | undefined;
  /** Reads the answer to `create` and `get`. */
  batch(body: unknown): VendorBatch | undefined;
  /** Reads the answer to `list` for a page. */
  page(body: unknown, page: string | undefined): VendorBatchPage;
  /** Reads the answer to `results`; absent if that has a row in each line. */
  resultPage?(body: unknown): VendorResultPage;
  /** Reads a row of `results`; `undefined` if it is none. */
  result(row: unknown): VendorBatchResult | undefined;
}
