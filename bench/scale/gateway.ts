/** How many of everything a gateway of this size has. Loads are proportional to its edges. */
export interface Gateway {
  edges: number;
  chats: number;
  requestsPerSecond: number;
  keys: number;
}

/** Models at providers: the catalogue does not grow with the load. */
export const offers = 400;

export const gatewayOf = (edges: number): Gateway => ({
  edges,
  chats: 3 * edges,
  requestsPerSecond: 100 * edges,
  keys: 50 * edges,
});

/** The size that is aimed at, in edges. */
export const target = 1_000;
