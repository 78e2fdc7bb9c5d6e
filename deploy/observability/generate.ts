import { writeFileSync } from 'node:fs';
import { generated } from './generated.ts';

// Run this after a change of dashboards or rules: node deploy/observability/generate.ts
for (const [path, text] of generated()) writeFileSync(path, text);
