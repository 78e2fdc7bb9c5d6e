export * from './cost.ts';
export * from './estimates.ts';
export * from './money.ts';
export { isAbsurdCost, price, type Price, type BillableUse } from './price.ts';
export * from './tokens.ts';
export { imagePrice, typicalPrice } from './typical-price.ts';
