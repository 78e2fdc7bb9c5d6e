export const json = 'application/json';
export const form = 'multipart/form-data';
export const eventStream = 'text/event-stream';
