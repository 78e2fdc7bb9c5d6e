export { ask, dataOf } from './raw-client.ts';
