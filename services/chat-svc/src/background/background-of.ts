import type { Background } from './background.ts';

/** The runs of one API, which does not know the ids of others. */
export const backgroundOf = (api: string, background: Background | undefined): Background | undefined =>
  background && {
    ...background,
    async find(owner, id) {
      const run = await background.find(owner, id);
      return run?.record.api === api ? run : undefined;
    },
  };
