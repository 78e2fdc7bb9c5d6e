/** RFC 8693. The OAuth library does not have this grant; it is answered before the library. */
export const tokenExchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
