import { expect, test } from 'vitest';
import { partOf } from './resources.ts';

const away = 'https://gateway.example';
const here = 'http://127.0.0.1:4000';

test.each([
  [away, 'https://gateway.example/mcp', 'mcp'],
  [away, 'https://gateway.example/v1', 'v1'],
  [away, 'https://gateway.example/mcp/', undefined],
  [away, 'https://gateway.example', undefined],
  [away, 'https://GATEWAY.example/mcp', undefined],
  [away, 'http://localhost/mcp', undefined],
  [away, undefined, undefined],
  [here, 'http://127.0.0.1:4000/mcp', 'mcp'],
  [here, 'http://localhost:4000/mcp', 'mcp'],
  [here, 'http://localhost/v1', 'v1'],
  [here, 'http://[::1]:8080/mcp', 'mcp'],
  [here, 'http://localhost.evil.example/mcp', undefined],
  [here, 'http://localhost:4000@evil.example/mcp', undefined],
  [here, 'https://localhost:4000/mcp', undefined],
  [here, 'http://localhost:4000/mcp?a', undefined],
])('at %s, the resource %s is', (publicUrl, resource, part) => {
  expect(partOf(publicUrl, resource)).toBe(part);
});
