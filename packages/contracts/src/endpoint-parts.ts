/** Looking something up. */
export const lookUp = { method: 'GET', key: 'required', kind: 'models', accepts: [] } as const;

/** A call that OpenAI's SDKs name alike. */
export const same = <Call extends string, Argument extends number>(call: Call, argument?: Argument) => ({
  python: call,
  typescript: call,
  ...(argument !== undefined && { argument }),
});
