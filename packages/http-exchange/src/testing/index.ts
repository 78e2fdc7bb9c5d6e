export { exchangeFetch, type ExchangeFetch, type ExchangeFetchOptions } from './exchange-fetch.ts';
