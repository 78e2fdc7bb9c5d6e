/** Responses that are read from the store at the same time. */
const readTogether = 16;

export async function inBatches<From, To>(values: readonly From[], read: (value: From) => Promise<To>): Promise<To[]> {
  const results: To[] = [];
  for (let from = 0; from < values.length; from += readTogether) {
    results.push(...(await Promise.all(values.slice(from, from + readTogether).map(read))));
  }
  return results;
}
