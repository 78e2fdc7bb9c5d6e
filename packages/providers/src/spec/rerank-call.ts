/** A request to order documents by how well they answer a query, as the client sent it. */
export interface RerankCall {
  readonly query: string;
  readonly documents: readonly string[];
  /** The most results that the client wants; all documents when absent. */
  readonly most?: number;
  /** The results repeat their documents. */
  readonly returnDocuments: boolean;
  /** False: a text that is too long is refused. Absent: the vendor decides. */
  readonly truncation?: boolean;
  /** What a vendor reads of each document. */
  readonly tokensPerDocument?: number;
  /** From 0, the most urgent, to 999. */
  readonly priority?: number;
}

export interface RerankResult {
  /** Of the document in the request. */
  readonly index: number;
  readonly score: number;
}

/** What a vendor answered. */
export interface RerankAnswer {
  /** The best first, each document at most once. */
  readonly results: readonly RerankResult[];
  /** Absent if the vendor gave none. */
  readonly id?: string;
  /** What the vendor bills, if it says so. */
  readonly tokens?: number;
  readonly searchUnits?: number;
}

/** How many results a call gets. */
export const wantedResultsOf = ({ documents, most = documents.length }: RerankCall): number =>
  Math.min(most, documents.length);
