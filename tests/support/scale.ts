/**
 * Whether this is a run of `npm run test:long`, which takes large tests at their whole scale. In every other run each
 * test has one scale, which no date and no commit changes.
 */
export const wholly = process.env['TEST_SCALE'] === 'whole';

/** The variable with which `npm run test:long` starts tests. */
export const wholeScale = { TEST_SCALE: 'whole' } as const;

interface Part {
  /** One of so many. */
  one: number;
  /** Where the part begins. Parts that begin at consecutive places cover every item together. */
  from?: number;
}

/**
 * Of the cells of a table, such as vendors and client libraries, those that `npm test` takes: always the same ones. They
 * are chosen so that every row and every column is tested.
 */
export const partOf = <T>(items: readonly T[], { one, from = 0 }: Part): T[] =>
  items.filter((_, index) => wholly || (index + from) % one === 0);

/** The runs of a property whose inputs are generated anew in each run: a fourth in `npm test`. */
export const runsOf = (all: number): number => (wholly ? all : Math.ceil(all / 4));
