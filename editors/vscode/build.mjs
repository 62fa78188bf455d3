// Bundles the extension into dist/, or with `test` the unit tests into out/.
import * as fs from 'node:fs';
import { build } from 'esbuild';

const common = { bundle: true, platform: 'node', format: 'cjs', target: 'node20', external: ['vscode'], logLevel: 'warning' };

if (process.argv[2] === 'test') {
  fs.rmSync('out', { recursive: true, force: true });
  const tests = fs.readdirSync('test').filter((name) => name.endsWith('.test.ts'));
  await build({ ...common, entryPoints: tests.map((name) => `test/${name}`), outdir: 'out' });
} else {
  await build({ ...common, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', minify: true });
}
