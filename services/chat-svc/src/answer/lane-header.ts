/** `native` if an answer is the vendor's own, in the client's API; otherwise it was translated. */
export const laneHeader = 'x-tallyport-lane';
