/** A vendor family as the simulator plays it, and how the gateway is pointed there. */
export interface Family {
  /** As it is asked for, so that nobody else answers. */
  model: string;
  provider: string;
  /** `<STEM>_API_KEY` and `<STEM>_BASE_URL`. */
  stem: string;
  /** Follows the simulator's own address. */
  path: string;
  /** Where `[DONE]` ends a stream, a vendor may also forget it. */
  endsWithDone: boolean;
}

export const families: readonly Family[] = [
  { model: 'openai/gpt-4o-mini', provider: 'openai', stem: 'OPENAI', path: '/v1', endsWithDone: true },
  {
    model: 'anthropic/claude-sonnet-4-5',
    provider: 'anthropic',
    stem: 'ANTHROPIC',
    path: '/anthropic/v1',
    endsWithDone: false,
  },
];

/** What points the gateway at the simulator for every family, with one key. */
export const environmentFor = (simulatorUrl: string, key: string): Record<string, string> =>
  Object.fromEntries(
    families.flatMap(({ stem, path }) => [
      [`${stem}_API_KEY`, key],
      [`${stem}_BASE_URL`, simulatorUrl + path],
    ]),
  );
