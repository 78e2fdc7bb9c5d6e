/** The edge of a request: the one that is killed gets a third of them. */
export const edgeOf = (number: number): number => (number % 3 === 0 ? 1 : 0);
