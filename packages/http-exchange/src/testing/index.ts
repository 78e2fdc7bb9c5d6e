export { exchangeFetch, type ExchangeFetch } from './exchange-fetch.ts';
