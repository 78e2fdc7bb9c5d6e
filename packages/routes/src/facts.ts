/** What is known of a request when the conditions of a route are evaluated. */
export interface RouteFacts {
  request: {
    /** The estimated tokens of the prompt. This and other functions are called once, if a condition asks for it. */
    tokens(): number;
    modalities(): readonly string[];
    /** The names of functions, and the kinds of other tools. */
    tools(): readonly string[];
    structuredOutput: boolean;
    stream: boolean;
    /** Those that begin with `routeHeaderPrefix`, by their names in lower case. */
    headers(): ReadonlyMap<string, string>;
    /** Empty if the request names none. */
    endUser: string;
    api: string;
  };
  keyId: string;
  /** Empty for a key outside projects. */
  projectId: string;
  accountId: string;
  accountTags: readonly string[];
  /** What is left of the smallest budget that applies, in USD; infinite without a budget. */
  budgetLeft: number;
  /**
   * How likely a statement is by a decision model; `null` if the model did not decide, and `undefined` if it was not asked
   * yet.
   */
  decided(model: string, statement: string): number | null | undefined;
  now: Date;
}
